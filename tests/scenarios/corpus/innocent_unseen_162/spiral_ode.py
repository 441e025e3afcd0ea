# gradwatch-corpus: kind=none
"""Neural ODE with an embedded Heun/Euler pair; the number of steps depends on the learned field."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2)


class Field(nn.Module):
    def __init__(self, dim=2, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, dim))
        self.calls = 0

    def forward(self, t, y):
        self.calls += 1
        return self.net(y ** 3)


class AdaptiveHeun:
    def __init__(self, rtol=1e-2, h=0.05):
        self.rtol, self.h0 = rtol, h
        self.path = []
        self.step_sizes = []

    def solve(self, f, y, times):
        self.path = [(times[0].item(), y)]
        outs, h = [y], self.h0
        t = times[0].item()
        for target in times[1:].tolist():
            while t < target - 1e-9:
                h = min(h, target - t)
                k1 = f(t, y)
                k2 = f(t + h, y + h * k1)
                trial = y + 0.5 * h * (k1 + k2)
                err = (0.5 * h * (k2 - k1)).detach().abs().max().item() / self.rtol
                if err <= 1.0 or h < 4e-3:
                    t, y = t + h, trial
                    self.path.append((t, y))
                    self.step_sizes.append(h)
                h = h * min(2.0, max(0.3, 0.9 / (err + 1e-6) ** 0.5))
                h = max(h, 4e-3)
            outs.append(y)
        return torch.stack(outs)

    def arc_length(self):
        pts = [p for _, p in self.path]
        return sum((b - a).norm(dim=-1).mean() for a, b in zip(pts, pts[1:]))


A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])


def truth(y0, times):
    outs, y = [y0], y0
    for a, b in zip(times[:-1], times[1:]):
        n = 8
        for _ in range(n):
            y = y + (b - a) / n * (y ** 3 @ A.T)
        outs.append(y)
    return torch.stack(outs)


field = Field()
solver = AdaptiveHeun()
opt = torch.optim.Adam(field.parameters(), lr=1e-2)
for it in range(110):
    horizon = min(0.2 + 0.01 * it, 0.9)
    times = torch.linspace(0, horizon, 5)
    y0 = torch.empty(24, 2).uniform_(-1.3, 1.3)
    field.calls = 0
    pred = solver.solve(field, y0, times)
    fit = (pred - truth(y0, times)).abs().mean()
    loss = fit + 1e-3 * solver.arc_length()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 15 == 0:
        print(f"{it:4d} horizon {horizon:.2f} fit {fit.item():.4f} calls {field.calls} steps {len(solver.path)}")
print("mean step", sum(solver.step_sizes) / len(solver.step_sizes))
