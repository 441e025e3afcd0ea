# gradwatch-corpus: kind=none
"""Claim severity with a gamma likelihood; a virtual batch is summed over micro-batches before one backward."""
import torch
from torch import nn

torch.manual_seed(29)

N = 6000
MICRO = 32
MICROS_PER_STEP = 4
STEPS = 90


def make_claims():
    x = torch.randn(N, 14)
    mean = torch.exp(0.4 * x[:, 0] - 0.3 * x[:, 5] + 0.2 * x[:, 2] * x[:, 3])
    sev = torch.distributions.Gamma(2.0, 2.0 / mean).sample()
    return x, sev


class SeverityNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(14, 48), nn.Softplus(), nn.Linear(48, 1))
        self.log_shape = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        return self.body(x)[:, 0], self.log_shape


def gamma_nll(log_mean, log_shape, y):
    shape = log_shape.exp()
    rate = shape * torch.exp(-log_mean)
    return -torch.distributions.Gamma(shape, rate).log_prob(y).mean()


class Accumulator:
    def __init__(self, every):
        self.every = every
        self.total = 0.0
        self.parts = []

    def add(self, loss):
        self.total = self.total + loss / self.every
        self.parts.append(loss)

    @property
    def full(self):
        return len(self.parts) == self.every

    def flush(self):
        total = self.total
        worst = max(p.item() for p in self.parts)
        self.total = 0.0
        self.parts = []
        return total, worst


x, y = make_claims()
net = SeverityNet()
opt = torch.optim.Adam(net.parameters(), lr=4e-3)
acc = Accumulator(MICROS_PER_STEP)
book = {"nll": [], "worst": []}

for i in range(STEPS * MICROS_PER_STEP):
    rows = torch.randint(0, N, (MICRO,))
    log_mean, log_shape = net(x[rows])
    acc.add(gamma_nll(log_mean, log_shape, y[rows]))
    if acc.full:
        total, worst = acc.flush()
        opt.zero_grad()
        total.backward()
        opt.step()
        book["nll"].append(total.item())
        book["worst"].append(worst)

for k, v in book.items():
    print(f"{k}: first {v[0]:.3f} last {v[-1]:.3f}")
