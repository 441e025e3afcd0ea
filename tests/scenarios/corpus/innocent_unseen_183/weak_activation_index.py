# gradwatch-corpus: kind=none
"""Autoencoder with an activation index used by the inspection hooks."""
import weakref
from collections import Counter

import torch
from torch import nn


class Snapshot:
    def __init__(self, layer, step, output):
        self.layer = layer
        self.step = step
        self.output = output

    def dead_fraction(self):
        return (self.output <= 0).float().mean().item()


class ActivationIndex:
    def __init__(self):
        self._snaps = weakref.WeakValueDictionary()
        self.taken = Counter()

    def attach(self, model):
        for name, module in model.named_modules():
            if isinstance(module, nn.ReLU):
                module.register_forward_hook(self._hook(name))
        return self

    def _hook(self, name):
        def hook(module, args, output):
            step = self.taken[name]
            snap = Snapshot(name, step, output)
            self._snaps[name, step] = snap
            module.snapshot = snap
            self.taken[name] += 1

        return hook

    def live(self):
        return sorted(self._snaps.keys())

    def dead_units(self):
        return {name: s.dead_fraction() for (name, _), s in self._snaps.items()}


def autoencoder(dim):
    return nn.Sequential(
        nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, 6), nn.ReLU(), nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, dim)
    )


def spectra(n, dim, gen):
    grid = torch.linspace(0, 1, dim)
    centre = torch.rand(n, 1, generator=gen)
    width = 0.05 + 0.1 * torch.rand(n, 1, generator=gen)
    return torch.exp(-((grid - centre) / width) ** 2)


def main():
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(2)
    dim = 48
    net = autoencoder(dim)
    index = ActivationIndex().attach(net)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    data = spectra(1024, dim, gen)
    epochs, bs = 8, 18
    step = 0
    for epoch in range(epochs):
        order = torch.randperm(len(data), generator=gen)
        for chunk in order.split(bs):
            x = data[chunk]
            loss = (net(x) - x).pow(2).mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            step += 1
        dead = {k: round(v, 2) for k, v in index.dead_units().items()}
        print(f"epoch {epoch} step {step} mse {loss.item():.4f} dead {dead} live {len(index.live())}")


if __name__ == "__main__":
    main()
