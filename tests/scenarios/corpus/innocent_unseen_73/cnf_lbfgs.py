# gradwatch-corpus: kind=none
"""Latent neural ODE on pendulum snippets: Adam first, L-BFGS on a fixed batch afterwards; solver steps are checkpointed."""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Field(nn.Module):
    def __init__(self, dim, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, dim))
        self.evals = 0

    def forward(self, y):
        self.evals += 1
        return self.net(y)


class Solver:
    """Midpoint rule; keeps the trajectory of the latest solve for the regulariser."""

    def __init__(self, field, dt):
        self.field, self.dt = field, dt
        self.path = []
        self.energy = 0.0

    def _step(self, y):
        mid = y + 0.5 * self.dt * self.field(y)
        return y + self.dt * self.field(mid)

    def solve(self, y, n, save=False):
        self.path = [y]
        self.energy = 0.0
        for _ in range(n):
            nxt = checkpoint(self._step, y, use_reentrant=False) if save else self._step(y)
            self.energy = self.energy + ((nxt - y) / self.dt).square().mean()
            self.path.append(nxt)
            y = nxt
        return torch.stack(self.path, 1)


class LatentODE(nn.Module):
    def __init__(self, obs=2, latent=4, dt=0.15):
        super().__init__()
        self.enc = nn.GRU(obs, latent, batch_first=True)
        self.field = Field(latent)
        self.dec = nn.Linear(latent, obs)
        self.solver = Solver(self.field, dt)

    def forward(self, x, save=False):
        _, h = self.enc(x.flip(1))
        return self.dec(self.solver.solve(h[0], x.size(1) - 1, save))

    def loss(self, x, save=False):
        fit = (self(x, save) - x).square().mean()
        return fit + 1e-4 * self.solver.energy


@torch.no_grad()
def pendulum(n, length=14, dt=0.15):
    th, om = torch.rand(2, n) * 2 - 1
    out = []
    for _ in range(length):
        out.append(torch.stack([th, om], -1))
        om = om - dt * (torch.sin(th) + 0.05 * om)
        th = th + dt * om
    return torch.stack(out, 1)


class Phase:
    def __init__(self, model, iters):
        self.model, self.iters = model, iters
        self.trace = []

    def run(self):
        for i in range(self.iters):
            self.trace.append(self.iterate(i))
            if (i + 1) % 40 == 0:
                print(f"{type(self).__name__} {i + 1:3d} loss {self.trace[-1]:.5f} evals {self.model.field.evals}")


class AdamPhase(Phase):
    def __init__(self, model, iters, lr=1e-2, accumulate=2):
        super().__init__(model, iters)
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.accumulate = accumulate

    def iterate(self, i):
        self.opt.zero_grad()
        total = 0.0
        for _ in range(self.accumulate):
            loss = self.model.loss(pendulum(16), save=True) / self.accumulate
            loss.backward()
            total += loss.item()
        self.opt.step()
        return total


class LBFGSPhase(Phase):
    def __init__(self, model, iters, batch):
        super().__init__(model, iters)
        self.batch = batch
        self.opt = torch.optim.LBFGS(model.parameters(), lr=0.5, max_iter=3, history_size=6)
        self.last = None

    def closure(self):
        self.opt.zero_grad()
        self.last = self.model.loss(self.batch)
        self.last.backward()
        return self.last

    def iterate(self, i):
        self.opt.step(self.closure)
        return self.last.item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    model = LatentODE()
    AdamPhase(model, 120).run()
    LBFGSPhase(model, 80, pendulum(48)).run()
    with torch.no_grad():
        test = pendulum(64)
        print("test mse %.5f" % (model(test) - test).square().mean().item())


if __name__ == "__main__":
    main()
