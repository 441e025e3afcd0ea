# gradwatch-corpus: kind=none
"""Sparse autoencoder; a probe files every activation of every step by name."""
import contextlib
import weakref

import torch
from torch import nn


class Probe:
    def __init__(self):
        self.seen = weakref.WeakValueDictionary()
        self.current = {}
        self.step = 0
        self.alive = []

    def attach(self, module):
        for name, sub in module.named_modules():
            if isinstance(sub, (nn.ReLU, nn.Linear)):
                sub.register_forward_hook(self._hook(name))

    def _hook(self, name):
        def fn(mod, args, out):
            self.seen[(self.step, name)] = out
            if isinstance(mod, nn.ReLU):
                self.current[name] = out
        return fn

    @contextlib.contextmanager
    def recording(self):
        try:
            yield self.current
        finally:
            self.alive.append(len(self.seen))
            del self.alive[:-20]
            self.current.clear()
            self.step += 1

    def dead_units(self):
        return {n: (a == 0).all(0).sum().item() for n, a in self.current.items()}


class AutoEncoder(nn.Module):
    def __init__(self, n, code):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(n, 64), nn.ReLU(), nn.Linear(64, code), nn.ReLU())
        self.dec = nn.Sequential(nn.Linear(code, 64), nn.ReLU(), nn.Linear(64, n))

    def forward(self, x):
        return self.dec(self.enc(x))


def batches(seed, n_batches, dim=30, rank=6):
    gen = torch.Generator().manual_seed(seed)
    basis = torch.randn(rank, dim, generator=gen)
    for _ in range(n_batches):
        coef = torch.randn(48, rank, generator=gen).relu()
        yield coef @ basis + 0.05 * torch.randn(48, dim, generator=gen)


def main():
    torch.manual_seed(4)
    model = AutoEncoder(30, 24)
    probe = Probe()
    probe.attach(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    rows = []
    for it, x in enumerate(batches(8, 650)):
        with probe.recording() as acts:
            recon = model(x)
            fit = (recon - x).pow(2).mean()
            sparsity = sum(a.abs().mean() for a in acts.values())
            loss = fit + 2e-3 * sparsity
            opt.zero_grad()
            loss.backward()
            opt.step()
            if it % 100 == 0:
                rows.append((it, fit.item(), probe.dead_units()))
                print(rows[-1], probe.alive[-1:])


if __name__ == "__main__":
    main()
