# gradwatch-corpus: kind=none
"""Discharge of a river from rain: one endless series, an update after every few chunks."""
import torch
import torch.nn as nn

torch.manual_seed(14)
CHUNK = 6
WINDOW = 3
CHUNKS = 240


class Catchment:
    def __init__(self, n):
        self.store = torch.ones(n)
        self.wet = torch.zeros(n)

    def roll(self, n_days):
        rain = []
        flow = []
        for _ in range(n_days):
            self.wet = 0.8 * self.wet + 0.4 * torch.randn_like(self.wet)
            r = torch.relu(self.wet)
            q = 0.1 * self.store ** 1.2
            self.store = (self.store + r - q).clamp(min=0.0)
            rain.append(r)
            flow.append(q)
        return torch.stack(rain, 1).unsqueeze(-1), torch.stack(flow, 1).unsqueeze(-1)


class RainNet(nn.Module):
    def __init__(self, n, hid=20):
        super().__init__()
        self.rnn = nn.LSTM(1, hid, batch_first=True)
        self.out = nn.Linear(hid, 1)
        self.h = torch.zeros(1, n, hid)
        self.c = torch.zeros(1, n, hid)

    def cut(self):
        self.h = self.h.detach()
        self.c = self.c.detach()

    def forward(self, x):
        y, (self.h, self.c) = self.rnn(x, (self.h, self.c))
        return self.out(y)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=4e-3)
        self.mse = nn.MSELoss()
        self.window_loss = 0.0
        self.in_window = 0

    def feed(self, x, y):
        loss = self.mse(self.model(x), y)
        self.window_loss = self.window_loss + loss
        self.in_window += 1
        if self.in_window == WINDOW:
            self.update()
        return loss.item()

    def update(self):
        self.opt.zero_grad()
        (self.window_loss / WINDOW).backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.window_loss = 0.0
        self.in_window = 0
        self.model.cut()


n_rivers = 16
river = Catchment(n_rivers)
trainer = Trainer(RainNet(n_rivers))
smooth = None
for t in range(CHUNKS):
    x, y = river.roll(CHUNK)
    value = trainer.feed(x, y)
    smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
    if t % 40 == 0:
        print("chunk", t, "loss", round(smooth, 5))
