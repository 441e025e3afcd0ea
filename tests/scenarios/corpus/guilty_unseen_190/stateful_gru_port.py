# gradwatch-corpus: kind=second-backward
# first-bad: 1
# ported from Keras: GRU(32, stateful=True), windows of a long signal
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(10)
batch_size, window, n_windows = 8, 16, 60

t = torch.arange(n_windows * window + 1).float()
phase = torch.rand(batch_size, 1) * 6.28
freq = 0.05 + 0.1 * torch.rand(batch_size, 1)
signal = torch.sin(freq * t + phase) + 0.1 * torch.randn(batch_size, len(t))


class StatefulGRU(nn.Module):
    def __init__(self, units, batch):
        super().__init__()
        self.units = units
        self.batch = batch
        self.gru = nn.GRU(1, units, batch_first=True)
        self.dense = nn.Linear(units, 1)
        self.reset_states()

    def reset_states(self):
        self.h = torch.zeros(1, self.batch, self.units)

    def forward(self, x):
        seq, self.h = self.gru(x, self.h)  # <- culprit
        return self.dense(seq)


model = StatefulGRU(32, batch_size)
opt = torch.optim.Adam(model.parameters(), lr=1e-3)


def window_at(k):
    s = k * window
    x = signal[:, s:s + window].unsqueeze(-1)
    y = signal[:, s + 1:s + window + 1].unsqueeze(-1)
    return x, y


def evaluate():
    model.eval()
    model.reset_states()
    tot = 0.0
    with torch.no_grad():
        for k in range(n_windows - 10, n_windows):
            x, y = window_at(k)
            tot += F.mse_loss(model(x), y).item()
    model.train()
    return tot / 10


for epoch in range(10):
    model.reset_states()
    mean_mse = 0.0
    for k in range(n_windows - 10):
        x, y = window_at(k)
        opt.zero_grad()
        y_hat = model(x)
        loss = F.mse_loss(y_hat, y)
        loss.backward()
        opt.step()
        mean_mse += loss.item() / (n_windows - 10)
    print("epoch", epoch, "train", round(mean_mse, 4), "val", round(evaluate(), 4))
