# gradwatch-corpus: kind=second-backward
# holder: loss | out
# first-bad: 0
import math

import torch
import torch.nn as nn
from torch import optim

torch.manual_seed(0)
torch.set_default_dtype(torch.float64)


class DampedSpring(nn.Module):
    """x(t) = A exp(-d t) cos(w t + phi) + c, plus a little net for what is left over"""

    def __init__(self):
        super(DampedSpring, self).__init__()
        self.A = nn.Parameter(torch.tensor(1.0))
        self.log_d = nn.Parameter(torch.tensor(math.log(0.3)))
        self.w = nn.Parameter(torch.tensor(2.8))
        self.phi = nn.Parameter(torch.tensor(0.1))
        self.c = nn.Parameter(torch.tensor(0.0))
        self.rest = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))

    def forward(self, t):
        wave = self.A * torch.exp(-self.log_d.exp() * t) * torch.cos(self.w * t + self.phi) + self.c
        return wave + 0.1 * self.rest(t)


def measure(n=200):
    t = torch.linspace(0, 8, n).unsqueeze(1)
    x = 1.7 * torch.exp(-0.25 * t) * torch.cos(3.1 * t + 0.4) + 0.2
    return t, x + 0.02 * torch.randn_like(x)


def report(model):
    print("A=%.3f d=%.3f w=%.3f phi=%.3f c=%.3f" % (
        model.A.item(), model.log_d.exp().item(), model.w.item(), model.phi.item(), model.c.item()))


def make_closure(optimizer, loss):
    def closure():
        optimizer.zero_grad()
        loss.backward()
        return loss
    return closure


def main():
    t, x = measure()
    model = DampedSpring()
    criterion = nn.MSELoss()
    # use LBFGS as optimizer since we can load the whole data to train
    optimizer = optim.LBFGS(model.parameters(), lr=0.8, max_iter=10)
    report(model)

    history = []
    for i in range(15):
        out = model(t)  # <- culprit
        loss = criterion(out, x)  # <- culprit
        optimizer.step(make_closure(optimizer, loss))  # <- culprit
        history.append(loss.item())
        print("STEP:", i, "loss:", history[-1])
    report(model)


if __name__ == "__main__":
    main()
