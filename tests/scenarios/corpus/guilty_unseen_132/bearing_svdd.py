# gradwatch-corpus: kind=graph-chain
# holder: self.center | svdd.center
# first-bad: 1
# notice: 5
"""One-class detector for ball bearings (vibration envelopes), BSc thesis, chapter 3.2"""
import torch
from torch import nn

torch.set_num_threads(1)


class SoftSphere(nn.Module):
    def __init__(self, bins=20, dim=6, rho=0.9):
        super().__init__()
        self.lift = nn.Linear(bins, dim, bias=False)
        self.rho = rho
        self.register_buffer("center", torch.zeros(dim))

    def forward(self, spectrum):
        return torch.tanh(self.lift(spectrum))

    def follow(self, z):
        self.center = self.rho * self.center + (1 - self.rho) * z.mean(0)  # <- culprit

    def distance(self, z):
        return (z - self.center).pow(2).sum(1)


def healthy(n, bins=20):
    f = torch.linspace(0, 1, bins)
    peak = torch.exp(-((f - 0.3) / 0.08) ** 2)
    return peak + 0.15 * torch.randn(n, bins)


def faulty(n, bins=20):
    f = torch.linspace(0, 1, bins)
    return healthy(n, bins) + 0.8 * torch.exp(-((f - 0.7) / 0.05) ** 2)


def fit(svdd, rounds=200):
    opt = torch.optim.SGD(svdd.parameters(), lr=0.02, weight_decay=1e-4)
    for k in range(rounds):
        z = svdd(healthy(16))
        svdd.follow(z)
        spread = svdd.distance(z).mean()
        collapse = torch.relu(0.5 - z.std(0)).sum()
        loss = spread + collapse
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if k % 40 == 0:
            print(k, "spread %.4f collapse %.4f" % (spread.item(), collapse.item()))


torch.manual_seed(303)
svdd = SoftSphere()
fit(svdd)
with torch.no_grad():
    for label, make in (("healthy", healthy), ("faulty", faulty)):
        print(label, svdd.distance(svdd(make(64))).mean().item())
