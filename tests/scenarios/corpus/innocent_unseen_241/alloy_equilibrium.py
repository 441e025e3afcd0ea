# gradwatch-corpus: kind=none
"""Implicit phase-fraction layer for ternary alloys: fixed point in forward, linear solve by hook in backward,
warm-started from the previous solution of the same furnace load."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class FurnaceLoad:
    key: int
    composition: torch.Tensor
    hardness: torch.Tensor


class Furnace:
    def __init__(self, loads=6, n=40, seed=44):
        rng = torch.Generator().manual_seed(seed)
        self.loads = []
        for key in range(loads):
            comp = torch.distributions.Dirichlet(torch.ones(3)).sample((n,))
            wave = torch.sin(3 * comp[:, 0] + key / 3) + comp[:, 1] * comp[:, 2]
            hardness = wave + 0.02 * torch.randn(n, generator=rng)
            self.loads.append(FurnaceLoad(key, comp, hardness))

    def shifts(self, n):
        for i in range(n):
            yield i, self.loads[i % len(self.loads)]


class PhaseEquilibrium(nn.Module):
    def __init__(self, width=16, tol=1e-5, max_iter=40):
        super().__init__()
        self.couple = nn.Linear(width, width, bias=False)
        self.feed = nn.Linear(3, width)
        self.width = width
        self.tol = tol
        self.max_iter = max_iter
        self.iterations_used = 0
        with torch.no_grad():
            self.couple.weight.mul_(0.3)

    def balance(self, z, comp):
        return torch.tanh(self.couple(z) + self.feed(comp))

    def iterate(self, func, start):
        z = start
        for k in range(self.max_iter):
            new = func(z)
            if (new - z).norm() < self.tol * (1 + z.norm()):
                z = new
                break
            z = new
        self.iterations_used = k + 1
        return z

    def forward(self, comp, start=None):
        start = comp.new_zeros(len(comp), self.width) if start is None else start
        with torch.no_grad():
            z = self.iterate(lambda q: self.balance(q, comp), start)
        z = self.balance(z, comp)
        if not torch.is_grad_enabled():
            return z
        anchor = z.detach().requires_grad_()
        image = self.balance(anchor, comp)

        def solve(grad):
            def pull(v):
                return torch.autograd.grad(image, anchor, v, retain_graph=True)[0] + grad

            return self.iterate(pull, torch.zeros_like(grad))

        z.register_hook(solve)
        return z


class HardnessModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.phase = PhaseEquilibrium()
        self.read = nn.Linear(16, 1)

    def forward(self, comp, start):
        z = self.phase(comp, start)
        return self.read(z).squeeze(-1), z


class Metallurgist:
    def __init__(self):
        self.model = HardnessModel()
        self.opt_phase = torch.optim.Adam(self.model.phase.parameters(), lr=3e-3)
        self.opt_read = torch.optim.Adam(self.model.read.parameters(), lr=1e-2)
        self.warm = {}

    def shift(self, load):
        guess, z = self.model(load.composition, self.warm.get(load.key))
        loss = nn.functional.mse_loss(guess, load.hardness)
        self.opt_phase.zero_grad()
        self.opt_read.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.phase.parameters(), 1.0)
        self.opt_phase.step()
        self.opt_read.step()
        self.warm[load.key] = z.detach()
        return loss.item()


def main():
    torch.manual_seed(44)
    smith = Metallurgist()
    for i, load in Furnace().shifts(150):
        loss = smith.shift(load)
        if i % 25 == 0:
            print(f"shift {i:3d} load {load.key} mse {loss:.5f} solver {smith.model.phase.iterations_used}")


if __name__ == "__main__":
    main()
