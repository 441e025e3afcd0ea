# gradwatch-corpus: kind=inplace-modified
# holder: field | sol.field | self.field
# first-bad: 30
"""Learned closure for a 1-D heat equation. One-step supervision first, free-running roll-outs later."""
import math

import torch
from torch import nn

CELLS, DT = 40, 0.2


class Closure(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, 12, 3, padding=1, padding_mode="circular"), nn.Tanh(), nn.Conv1d(12, 1, 1))

    def flux(self, u):
        return self.net(u.unsqueeze(1)).squeeze(1)


class Solver:
    def __init__(self, closure):
        self.closure = closure

    def advance(self, u):
        lap = u.roll(1, -1) - 2 * u + u.roll(-1, -1)
        return u + DT * (lap + self.closure.flux(u) * u)

    def one_step(self, ref):
        return torch.stack([self.advance(ref[:, t]) for t in range(ref.shape[1] - 1)], 1)

    def free(self, start, steps):
        field = torch.zeros(start.shape[0], steps + 1, CELLS)
        field[:, 0] = start
        for t in range(steps):
            field[:, t + 1] = self.advance(field[:, t])  # <- culprit
        return field[:, 1:]


def reference(n=6, steps=5):
    x = torch.linspace(0, 2 * math.pi, CELLS + 1)[:-1]
    u = torch.sin(x + torch.rand(n, 1) * 6) + 0.4 * torch.cos(3 * x + torch.rand(n, 1) * 6)
    out = [u]
    for _ in range(steps):
        lap = u.roll(1, -1) - 2 * u + u.roll(-1, -1)
        u = u + DT * (lap + 0.3 * (1 - u ** 2) * u)
        out.append(u)
    return torch.stack(out, 1)


if __name__ == "__main__":
    torch.manual_seed(33)
    model = Closure()
    sol = Solver(model)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(6):
        rolling = epoch >= 1
        for b in range(30):
            ref = reference()
            guess = sol.free(ref[:, 0], ref.shape[1] - 1) if rolling else sol.one_step(ref)
            cost = (guess - ref[:, 1:]).square().mean()
            opt.zero_grad()
            cost.backward()
            opt.step()
        print("epoch", epoch, "rolling" if rolling else "one-step", f"{cost.item():.6f}")
