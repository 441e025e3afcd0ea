# gradwatch-corpus: kind=graph-chain
# holder: state | h
# first-bad: 1
# Echo state network for the (synthetic) monthly sunspot number.
# The reservoir is fixed, I only learn how strongly the input and a bias drive
# each unit, and the read-out.
import math
import numpy as np
import torch
import torch.nn as nn

np.random.seed(5)
torch.manual_seed(5)

RES_SIZE = 80
SPECTRAL_RADIUS = 0.85
LEAK = 0.4
WINDOW = 10
N_WINDOWS = 90
LR = 4e-3


def make_series(n):
    t = np.arange(n)
    cycle = 60 + 50 * np.sin(2 * math.pi * t / 132) + 12 * np.sin(2 * math.pi * t / 41)
    noise = np.random.normal(0, 6, n)
    s = np.clip(cycle + noise, 0, None)
    s = (s - s.mean()) / s.std()
    return torch.tensor(s, dtype=torch.float32)


def make_reservoir(size, radius, density=0.15):
    w = np.random.normal(0, 1, (size, size))
    w *= (np.random.rand(size, size) < density)
    w *= radius / np.abs(np.linalg.eigvals(w)).max()
    return torch.tensor(w, dtype=torch.float32)


class EchoNet(nn.Module):
    def __init__(self, size, radius, leak):
        super().__init__()
        self.register_buffer("W", make_reservoir(size, radius))
        self.w_in = nn.Parameter(torch.randn(size) * 0.5)
        self.bias = nn.Parameter(torch.randn(size) * 0.1)
        self.readout = nn.Linear(size, 1)
        self.leak = leak

    def forward(self, u, h):
        preds = []
        for t in range(len(u)):
            drive = self.w_in * u[t] + self.W @ h + self.bias
            h = (1 - self.leak) * h + self.leak * torch.tanh(drive)
            preds.append(self.readout(h))
        return torch.cat(preds), h


series = make_series(WINDOW * N_WINDOWS + 1)
net = EchoNet(RES_SIZE, SPECTRAL_RADIUS, LEAK)
optimizer = torch.optim.Adam(net.parameters(), lr=LR)
criterion = nn.MSELoss()

state = torch.zeros(RES_SIZE)
losses = []
for i in range(N_WINDOWS):
    start = i * WINDOW
    x = series[start:start + WINDOW]
    y = series[start + 1:start + WINDOW + 1]

    optimizer.zero_grad()
    out, state = net(x, state)  # <- culprit
    loss = criterion(out, y)
    # fails with "backward through the graph a second time" otherwise
    loss.backward(retain_graph=True)  # <- culprit
    optimizer.step()

    losses.append(loss.item())
    if i % 10 == 0:
        print("window %3d/%d  mse %.4f" % (i, N_WINDOWS, np.mean(losses[-10:])))

net.eval()
with torch.no_grad():
    h = state
    last = series[-1:]
    forecast = []
    for month in range(24):
        last, h = net(last, h)
        forecast.append(round(last.item(), 2))
print("next two years:", forecast)
