# gradwatch-corpus: kind=none
# about: forces by autograd.grad(create_graph=True) on every step and a long log of them, but the log holds plain floats and one detached row of fixed size; double backward is spent by the training backward
"""Energy of a small molecule-like cluster learned from energies and forces."""
import argparse
import statistics
from functools import cached_property, singledispatch
from types import MappingProxyType

import torch
from torch import nn


class Shifted(torch.autograd.Function):
    """softplus(x) - log 2 with a backward that can itself be differentiated."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return nn.functional.softplus(x) - 0.6931471805599453

    @staticmethod
    def backward(ctx, upstream):
        x, = ctx.saved_tensors
        return upstream * torch.sigmoid(x)


class Radial(nn.Module):
    def __init__(self, rungs=12, reach=4.0):
        super().__init__()
        self.register_buffer("rung", torch.linspace(0.3, reach, rungs))
        self.sharp = (rungs / reach) ** 2

    def forward(self, distance):
        return torch.exp(-self.sharp * (distance.unsqueeze(-1) - self.rung).square())


class Cluster(nn.Module):
    def __init__(self, rungs=12, size=24):
        super().__init__()
        self.radial = Radial(rungs)
        self.inner, self.outer = nn.Linear(rungs, size), nn.Linear(size, 1)

    def energy(self, place):
        i, j = torch.triu_indices(place.shape[1], place.shape[1], 1)
        distance = (place[:, i] - place[:, j]).norm(dim=-1)
        return self.outer(Shifted.apply(self.inner(self.radial(distance)))).sum((1, 2))

    def forward(self, place):
        place = place.detach().requires_grad_(True)
        energy = self.energy(place)
        force, = torch.autograd.grad(-energy.sum(), place, create_graph=self.training)
        return energy, force


class Sampled:
    """A batch of clusters under a Morse potential."""

    def __init__(self, gen, many=12, atoms=5):
        self.place = torch.randn(many, atoms, 3, generator=gen) * 1.2
        self.many = many

    def _morse(self, place):
        i, j = torch.triu_indices(place.shape[1], place.shape[1], 1)
        d = (place[:, i] - place[:, j]).norm(dim=-1)
        return ((1 - torch.exp(-1.2 * (d - 1.5))).square() - 1).sum(1)

    @cached_property
    def truth(self):
        at = self.place.clone().requires_grad_(True)
        e = self._morse(at)
        f, = torch.autograd.grad(-e.sum(), at)
        return e.detach(), f


@singledispatch
def jot(value):
    return value


@jot.register
def _(value: torch.Tensor):
    return value.detach().cpu().tolist() if value.ndim else value.item()


class Log(dict):
    def jot(self, **things):
        for k, v in things.items():
            self.setdefault(k, []).append(jot(v))

    def last(self, k, n=40):
        return statistics.fmean(self[k][-n:])


def main():
    cli = argparse.ArgumentParser()
    cli.add_argument("--steps", type=int, default=300)
    cli.add_argument("--force-share", type=float, default=0.9)
    cli.add_argument("--seed", type=int, default=33)
    a = MappingProxyType(vars(cli.parse_args()))
    torch.manual_seed(a["seed"])
    gen = torch.Generator().manual_seed(a["seed"])
    net, log = Cluster(), Log()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    widest = torch.zeros(5)
    for n in range(a["steps"]):
        batch = Sampled(gen)
        e_true, f_true = batch.truth
        energy, force = net(batch.place)
        off_e = (energy - e_true).square().mean()
        off_f = (force - f_true).square().mean()
        opt.zero_grad()
        ((1 - a["force_share"]) * off_e + a["force_share"] * off_f).backward()
        opt.step()
        widest = torch.maximum(widest, force.detach().norm(dim=-1).amax(0))
        log.jot(energy=off_e, force=off_f, each=force[0].norm(dim=-1))
        if n % 60 == 0:
            print(f"{n:3d} energy {log.last('energy'):.4f} force {log.last('force'):.4f} widest {widest.max():.2f}")


if __name__ == "__main__":
    main()
