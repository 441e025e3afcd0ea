# gradwatch-corpus: kind=none
"""Latent ODE by hand.  The integration horizon grows by one step every six iterations; the multiplier
of the terminal constraint is updated from the previous residual, and a per-horizon table keeps
the best trajectory seen for each horizon."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)


class Dynamics(nn.Module):
    def __init__(self, d=4, h=24):
        super().__init__()
        self.lift = nn.Linear(2, d)
        self.f = nn.Sequential(nn.Linear(d, h), nn.Tanh(), nn.Linear(h, d))
        self.read = nn.Linear(d, 2)

    def unroll(self, y0, n, dt):
        state = self.lift(y0)
        path = [state]
        for _ in range(n):
            k = self.f(state)
            state = state + dt * self.f(state + 0.5 * dt * k)
            path.append(state)
        return torch.stack([self.read(s) for s in path])


class Lagrangian:
    def __init__(self, rho):
        self.lam, self.rho, self.residual = torch.zeros(2), rho, None

    def __call__(self, end, goal):
        self.residual = (end - goal).mean(0)
        return (self.lam * self.residual).sum() + 0.5 * self.rho * self.residual.pow(2).sum()

    def ascend(self):
        self.lam = self.lam + 0.1 * self.rho * self.residual.data


class Horizon:
    def __init__(self, start, top, every):
        self.n, self.top, self.every = start, top, every

    def __call__(self, it):
        if it and it % self.every == 0:
            self.n = min(self.n + 1, self.top)
        return self.n


def spiral(y0, n, dt):
    m = torch.tensor([[-0.1, 1.2], [-1.2, -0.1]])
    step = torch.linalg.matrix_exp(m * dt)
    out = [y0]
    for _ in range(n):
        out.append(out[-1] @ step)
    return torch.stack(out)


model = Dynamics()
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
lag, horizon = Lagrangian(rho=0.5), Horizon(2, 34, every=6)
best_by_horizon, curve = {}, []
for it in range(330):
    n = horizon(it)
    y0 = torch.randn(12, 2)
    goal = spiral(y0, n, 0.05)
    path = model.unroll(y0, n, 0.05)
    fit = (path - goal).pow(2).mean()
    loss = fit + lag(path[-1], goal[-1])
    opt.zero_grad()
    loss.backward(retain_graph=True)
    sens = torch.autograd.grad(fit, model.lift.bias)[0]     # how much the embedding still matters
    opt.step()
    lag.ascend()
    if n not in best_by_horizon or fit.item() < best_by_horizon[n][0]:
        best_by_horizon[n] = (fit.item(), path[-1].detach())
    curve.append((n, fit.detach(), sens.norm()))
    if it % 55 == 0:
        print(f"{it:4d} horizon {n:2d} fit {fit.item():.4f} lam {lag.lam.tolist()}")
print(len(best_by_horizon), "horizons; mean sensitivity", torch.stack([s for _, _, s in curve]).mean().item())
