# gradwatch-corpus: kind=inplace-modified
# holder: frame
# first-bad: 50
# notice: 0
# Traffic speed forecasting, encoder-decoder with a curriculum: teacher forcing first, own predictions later.
import torch
import torch.nn as nn
torch.set_num_threads(1)

SENSORS, PAST, AHEAD = 5, 8, 4


def traffic(batch):
    t0 = torch.rand(batch, 1, 1) * 48
    t = t0 + torch.arange(PAST + AHEAD).view(1, -1, 1)
    base = 60 - 20 * torch.sin(t / 48 * 6.28 + torch.linspace(0, 1, SENSORS)) ** 2
    return (base + 1.5 * torch.randn(batch, PAST + AHEAD, SENSORS)) / 60 - 0.8


class Seq2Seq(nn.Module):
    def __init__(self, hid=18):
        super().__init__()
        self.enc = nn.LSTM(SENSORS, hid, batch_first=True)
        self.cell = nn.LSTMCell(SENSORS, hid)
        self.out = nn.Linear(hid, SENSORS)

    def forward(self, past, future=None):
        _, (h, c) = self.enc(past)
        h, c = h[0], c[0]
        preds = []
        if future is not None:
            inputs = torch.cat([past[:, -1:], future[:, :-1]], 1)
            for k in range(AHEAD):
                h, c = self.cell(inputs[:, k], (h, c))
                preds.append(self.out(h))
            return torch.stack(preds, 1)
        frame = past[:, -1].clone()
        for k in range(AHEAD):
            h, c = self.cell(frame, (h, c))
            frame.copy_(self.out(h))  # <- culprit
            preds.append(frame.clone())
        return torch.stack(preds, 1)


class Curriculum:
    def __init__(self, switch_at):
        self.switch_at, self.n = switch_at, 0

    def forcing(self):
        self.n += 1
        return self.n <= self.switch_at


torch.manual_seed(31)
net, plan = Seq2Seq(), Curriculum(50)
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
for it in range(400):
    data = traffic(16)
    past, future = data[:, :PAST], data[:, PAST:]
    pred = net(past, future) if plan.forcing() else net(past)
    loss = nn.functional.l1_loss(pred, future)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 20 == 0:
        print(f"iter {it}  mae {60 * loss.item():.2f} km/h")
