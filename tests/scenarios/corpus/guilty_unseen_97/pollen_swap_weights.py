# gradwatch-corpus: kind=inplace-modified
# holder: j.net[4].weight | net[4].weight | j.net[2].weight | net[2].weight | j.net | self.live | self.live[k] | j.polyak.live | p
# first-bad: 30
# notice: 0
"""Pollen-count forecaster with Polyak averages; the averaged weights are scored now and then."""
import contextlib
from types import SimpleNamespace

import torch
from torch import nn


class Polyak:
    def __init__(self, module, decay=0.98):
        self.live = dict(module.named_parameters())
        self.shadow = {k: p.detach().clone() for k, p in self.live.items()}
        self.decay = decay

    def track(self):
        with torch.no_grad():
            for k, p in self.live.items():
                self.shadow[k].lerp_(p, 1 - self.decay)

    @contextlib.contextmanager
    def averaged(self):
        backup = {k: p.detach().clone() for k, p in self.live.items()}
        self._load(self.shadow)
        try:
            yield
        finally:
            self._load(backup)

    @torch.no_grad()
    def _load(self, source):
        for k, p in self.live.items():
            p.copy_(source[k])  # <- culprit


def week(gen, n=24):
    temp = torch.randn(n, 14, generator=gen)
    wind = torch.randn(n, 14, generator=gen).abs()
    count = (temp[:, -4:].mean(-1) - 0.3 * wind[:, -2:].mean(-1)).exp().clamp(max=6)
    return torch.cat([temp, wind], -1), count


def job():
    torch.manual_seed(71)
    gen = torch.Generator().manual_seed(72)
    net = nn.Sequential(nn.Linear(28, 20), nn.SiLU(), nn.Linear(20, 12), nn.SiLU(), nn.Linear(12, 1))
    opt = torch.optim.NAdam(net.parameters(), lr=2e-3)
    return SimpleNamespace(net=net, opt=opt, polyak=Polyak(net), gen=gen, held_out=week(gen, 64), scores={})


def poisson(net, batch):
    x, count = batch
    return nn.functional.poisson_nll_loss(net(x).squeeze(-1), count)


def score(j, it, train_loss):
    """Averaged weights on the held-out weeks, next to the training loss of the same moment."""
    with j.polyak.averaged(), torch.no_grad():  # <- culprit
        val = poisson(j.net, j.held_out)
    j.scores[it] = (float(train_loss.detach()), float(val))
    print("it {:4d}  train {:.4f}  averaged {:.4f}".format(it, *j.scores[it]))


def main():
    torch.set_num_threads(1)
    j = job()
    for it in range(300):
        loss = poisson(j.net, week(j.gen))
        if it and it % 30 == 0:
            score(j, it, loss)  # <- culprit
        j.opt.zero_grad()
        loss.backward()
        j.opt.step()
        j.polyak.track()


if __name__ == "__main__":
    main()
