# gradwatch-corpus: kind=graph-held
# holder: probe.maps | self.maps | probe.maps["4"] | probe.maps[name]
# first-bad: 1
# notice: 8
import contextlib
from collections import OrderedDict
from functools import partial

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)


class Probe(contextlib.AbstractContextManager):
    """Forward hooks on chosen layers; `maps` feed both the sparsity term and the layer statistics."""

    def __init__(self, net, wanted):
        self.maps = OrderedDict((n, []) for n in wanted)
        self.handles = [m.register_forward_hook(partial(self._take, n)) for n, m in net.named_modules() if n in wanted]

    def _take(self, name, module, args, out):
        self.maps[name].append(out)  # <- culprit

    def penalty(self):
        return sum(seq[-1].abs().mean() for seq in self.maps.values())

    def stats(self):
        return {n: round(seq[-1].detach().std().item(), 3) for n, seq in self.maps.items()}

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()


def tiles(n):
    """Histology-like tiles: dense dots against sparse dots."""
    y = torch.randint(0, 2, (n,))
    rate = torch.where(y == 1, 0.35, 0.15)[:, None, None, None]
    return torch.bernoulli(rate.expand(n, 1, 10, 10)), y


net = nn.Sequential(
    nn.Conv2d(1, 6, 3), nn.ReLU(), nn.Conv2d(6, 6, 3), nn.GroupNorm(2, 6), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 36, 2)
)
opt = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
with Probe(net, ("1", "4")) as probe:
    for it in range(300):
        x, y = tiles(8)
        loss = nn.functional.cross_entropy(net(x), y) + 0.01 * probe.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 75 == 74:
            print(it + 1, f"{loss.item():.3f}", probe.stats())
