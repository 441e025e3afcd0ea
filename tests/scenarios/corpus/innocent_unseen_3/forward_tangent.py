# gradwatch-corpus: kind=none
# about: no backward: jvp under vmap; detached 0-d losses are gathered and cleared every hundred
"""Forward gradients (Baydin et al.): no reverse pass, one directional derivative per random tangent."""
import argparse
import math

import torch
from torch.func import functional_call, jvp, vmap


def spirals(n, g):
    t = torch.rand(n, generator=g) * 2.5 * math.pi + .5
    side = torch.randint(2, (n,), generator=g)
    r = t + .2 * torch.randn(n, generator=g)
    a = t + side * math.pi
    return torch.stack([r * a.cos(), r * a.sin()], 1) / 8, side


class TangentDescent(torch.optim.Optimizer):
    """update() gets a function of a dict of weights; tangents are drawn here"""

    def __init__(self, net, lr=.02, draws=8, decay=.9):
        self.net, self.draws = net, draws
        super().__init__(list(net.parameters()), dict(lr=lr, decay=decay))

    def step(self, f):
        names, here = zip(*((k, w.detach()) for k, w in self.net.named_parameters()))
        tangents = tuple(torch.randn(self.draws, *w.shape) for w in here)

        def along(*v):
            value, slope = jvp(lambda *w: f(dict(zip(names, w))), here, v)
            return value, slope

        values, slopes = vmap(along)(*tangents)
        for group in self.param_groups:
            for w, v in zip(group["params"], tangents):
                est = torch.tensordot(slopes, v, 1) / self.draws
                m = self.state[w].setdefault("m", torch.zeros_like(w))
                m.mul_(group["decay"]).add_(est, alpha=1 - group["decay"])
                w.data.add_(m, alpha=-group["lr"])
        return values[0]


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--n", type=int, default=700)
    n = ap.parse_args().n
    torch.manual_seed(1)
    g = torch.Generator().manual_seed(4)
    net = torch.nn.Sequential(torch.nn.Linear(2, 24), torch.nn.Tanh(), torch.nn.Linear(24, 2))
    opt = TangentDescent(net, lr=.05)
    seen = []
    for i in range(n):
        x, y = spirals(128, g)
        ce = opt.step(lambda w: torch.nn.functional.cross_entropy(functional_call(net, w, (x * 3,)), y))
        seen.append(ce)
        if len(seen) == 100:
            print(f"{i + 1}: mean loss {torch.stack(seen).mean():.4f}")
            seen.clear()
