# gradwatch-corpus: kind=memory-climb
# holder: self.raw | report.raw
"""Quantile regression on a grid; predictions are put by for the calibration report."""
import torch
from torch import nn


class CalibrationReport:
    def __init__(self, taus):
        self.taus = taus
        self.raw = []

    def collect(self, pred, y):
        self.raw.append({"pred": pred.tolist(), "y": y.tolist()})  # <- culprit

    def coverage(self):
        last = self.raw[-1]
        n = len(last["y"])
        return [sum(p[k] >= y[0] for p, y in zip(last["pred"], last["y"])) / n for k in range(len(self.taus))]


def pinball(pred, y, taus):
    d = y - pred
    return torch.maximum(taus * d, (taus - 1) * d).mean()


torch.manual_seed(14)
taus = torch.linspace(0.05, 0.95, 19)
net = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 19))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)
report = CalibrationReport(taus.tolist())
for i in range(140):
    x = torch.rand(3000, 3)
    y = x.sum(1, keepdim=True) + (0.2 + x[:, :1]) * torch.randn(3000, 1)
    q = net(x)
    loss = pinball(q, y, taus)
    opt.zero_grad()
    loss.backward()
    opt.step()
    report.collect(q.detach(), y)
    if i % 35 == 34:
        print(i + 1, "%.4f" % loss.item(), ["%.2f" % c for c in report.coverage()[::6]])
