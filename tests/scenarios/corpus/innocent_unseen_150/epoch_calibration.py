# gradwatch-corpus: kind=none
"""Triage classifier; the temperature and bias of its calibration are fitted on whole epochs."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(22)
torch.set_num_threads(1)


class Calibrator(nn.Module):
    def __init__(self, n_class):
        super().__init__()
        self.log_t = nn.Parameter(torch.zeros(()))
        self.bias = nn.Parameter(torch.zeros(n_class))

    def forward(self, logits):
        return logits.detach() * self.log_t.neg().exp() + self.bias


class EpochObjective:
    """Sums over the epoch: likelihood, and how far the mean confidence lies from the accuracy."""

    def __init__(self):
        self.begin()

    def begin(self):
        self.nll = 0.0
        self.confidence = 0.0
        self.correct = 0
        self.n = 0

    def add(self, logits, y):
        self.nll = self.nll + F.cross_entropy(logits, y, reduction="sum")
        self.confidence = self.confidence + logits.softmax(-1).amax(-1).sum()
        self.correct += int((logits.argmax(-1) == y).sum())
        self.n += len(y)

    def value(self):
        gap = (self.confidence - self.correct) / self.n
        return self.nll / self.n + 2.0 * gap.square()


def patients(n):
    y = torch.randint(0, 4, (n,))
    x = torch.randn(n, 8)
    x[torch.arange(n), y] += 1.2
    return x, y


def main():
    net = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 4))
    cal = Calibrator(4)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    opt_cal = torch.optim.Adam(cal.parameters(), lr=0.05)
    objective = EpochObjective()
    for epoch in range(6):
        objective.begin()
        for _ in range(35):
            x, y = patients(32)
            logits = net(x)
            loss = F.cross_entropy(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            objective.add(cal(logits), y)

        total = objective.value()
        opt_cal.zero_grad()
        total.backward()
        opt_cal.step()
        objective.begin()
        print(epoch, f"{total.item():.4f} T={cal.log_t.exp().item():.3f}")


main()
