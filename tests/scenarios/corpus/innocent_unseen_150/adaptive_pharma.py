# gradwatch-corpus: kind=none
"""Drug concentration model: an adaptive Heun solver, so every update has its own number of solver steps."""
import torch
from torch import nn

torch.manual_seed(41)
torch.set_num_threads(1)


class Rates(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, t, y):
        t = torch.full_like(y[:, :1], t)
        return self.net(torch.cat([t, y], 1)) - 0.2 * y


class AdaptiveHeun:
    def __init__(self, tol=2e-3):
        self.tol = tol
        self.accepted = self.rejected = 0

    def trajectory(self, f, y, t0, t1):
        t, h = t0, 0.2
        path = [y]
        while t < t1 - 1e-6:
            h = min(h, t1 - t)
            k1 = f(t, y)
            euler = y + h * k1
            heun = y + 0.5 * h * (k1 + f(t + h, euler))
            err = float((heun - euler).detach().abs().max())
            if err <= self.tol or h < 0.02:
                t, y = t + h, heun
                path.append(y)
                self.accepted += 1
            else:
                self.rejected += 1
            h *= min(2.0, max(0.3, 0.9 * (self.tol / (err + 1e-9)) ** 0.5))
        return path


def subjects(n):
    dose = 0.5 + torch.rand(n, 1)
    horizon = float(0.5 + 1.5 * torch.rand(()))
    y0 = torch.cat([dose, torch.zeros_like(dose)], 1)
    k = torch.tensor([[-1.2, 0.0], [1.2, -0.4]])
    return y0, y0 @ torch.linalg.matrix_exp(k * horizon).t(), horizon


rates, solver = Rates(), AdaptiveHeun()
opt = torch.optim.Adam(rates.parameters(), lr=8e-3)
for step in range(140):
    y0, y1, horizon = subjects(12)
    path = solver.trajectory(rates, y0, 0.0, horizon)
    jumps = torch.stack([(b - a).square().mean() for a, b in zip(path, path[1:])])
    loss = nn.functional.mse_loss(path[-1], y1) + 1e-3 * jumps.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 28 == 27:
        print(step, len(path), solver.accepted, solver.rejected, f"{loss.item():.5f}")
