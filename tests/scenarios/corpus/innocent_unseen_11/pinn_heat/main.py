# gradwatch-corpus: kind=none
"""Physics-informed network for the heat equation on a rod, u_t = k u_xx, with k unknown as well.
Term weights are balanced by gradient norms; collocation grids come from a small cache; the best field is kept for the report."""
import math

import torch
from torch import nn

from balance import GradBalance
from best import BestField
from grid import collocation, edge, probe
from residual import ResidualSpike, heat_residual

TRUE_K = 0.3


def exact(x, t):
    return torch.exp(-TRUE_K * math.pi ** 2 * t) * torch.sin(math.pi * x)


class Rod(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, 1))
        self.log_k = nn.Parameter(torch.tensor(math.log(0.1)))

    def forward(self, x, t):
        return self.net(torch.cat([x, t], dim=1))


class Solver:
    def __init__(self):
        self.model = Rod()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.balance = GradBalance(list(self.model.net.parameters()), ["pde", "data"])
        self.best = BestField(patience=20)
        self.spikes = []

    def terms(self, step):
        x, t = collocation(12 + 2 * (step // 100 % 3))
        residual = heat_residual(self.model, x, t)
        ex, et = edge(24)
        data = self.model(ex, et) - exact(ex, et)
        return {"pde": residual.pow(2).mean(), "data": data.pow(2).mean()}

    def check(self, terms, limit=200.0):
        for name, value in terms.items():
            if value.item() > limit:
                raise ResidualSpike(name, value.item())

    def step(self, step):
        terms = self.terms(step)
        try:
            self.check(terms)
        except ResidualSpike as spike:
            self.spikes = (self.spikes + [str(spike)])[-10:]
        if step % 10 == 0:
            self.balance.refresh(terms)
        loss = sum(self.balance.weight[name] * value for name, value in terms.items())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.detach()

    def validate(self, step):
        x, t = probe(20)
        with torch.no_grad():
            field = self.model(x, t)
            error = (field - exact(x, t)).abs().max()
        return self.best.offer(step, error.item(), field)


def main(steps=600):
    torch.manual_seed(71)
    torch.set_num_threads(1)
    solver = Solver()
    for step in range(steps):
        loss = solver.step(step)
        if step % 20 == 19 and solver.validate(step):
            break
        if step % 100 == 0:
            print(f"step {step:3d} loss {loss.item():.4f} k {solver.model.log_k.exp().item():.3f}")
    print(f"best at {solver.best.step}: max error {solver.best.score:.4f}, field up to {solver.best.field.max().item():.3f}")
    print(f"spikes {len(solver.spikes)}, grids {collocation.cache_info().currsize}")


if __name__ == "__main__":
    main()
