# gradwatch-corpus: kind=graph-held
# holder: self.slow | self.slow[i] | opt.slow | opt.slow[i] | optimizer.slow | slow
# first-bad: 6
# notice: 50
"""Comparing Lookahead(Adam) with gradient centralisation against plain Adam on a noisy spirals problem;
supplementary material, section B.2."""
import math
from itertools import chain, islice

import torch
from torch import nn
from torch.nn.utils import parametrizations


def spirals(gen, n=96, arms=3):
    while True:
        arm = torch.randint(0, arms, (n,), generator=gen)
        r = torch.rand(n, generator=gen)
        phi = 4.5 * r + arm * (2 * math.pi / arms) + 0.18 * torch.randn(n, generator=gen)
        yield torch.stack([r * phi.cos(), r * phi.sin()], dim=1), arm


class CenteredAdam(torch.optim.Adam):
    """Adam whose matrix gradients have zero mean over their fan-in."""

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None and p.grad[0].numel() > 1:
                    p.grad.sub_(p.grad.mean(dim=tuple(range(1, p.dim())), keepdim=True))
        return super().step(closure)


class Lookahead:
    def __init__(self, base: torch.optim.Optimizer, k: int = 6, alpha: float = 0.5):
        self.base, self.k, self.alpha = base, k, alpha
        self.fast = list(chain.from_iterable(g["params"] for g in base.param_groups))
        self.slow = [p.detach().clone() for p in self.fast]
        self.calls = 0

    def zero_grad(self):
        self.base.zero_grad()

    def step(self):
        self.base.step()
        self.calls += 1
        if self.calls % self.k == 0:
            self._sync()

    def _sync(self):
        for i, p in enumerate(self.fast):
            self.slow[i] = self.slow[i] + self.alpha * (p - self.slow[i])  # <- culprit
            p.data.copy_(self.slow[i])


def mlp(width=64, classes=3):
    return nn.Sequential(
        parametrizations.weight_norm(nn.Linear(2, width)), nn.SiLU(),
        parametrizations.weight_norm(nn.Linear(width, width)), nn.SiLU(),
        nn.Linear(width, classes),
    )


def train(make_opt, steps, seed):
    torch.manual_seed(seed)
    net = mlp()
    opt = make_opt(net.parameters())
    gen = torch.Generator().manual_seed(seed + 1)
    ema = None
    for t, (x, y) in enumerate(islice(spirals(gen), steps)):
        loss = nn.functional.cross_entropy(net(x), y, label_smoothing=0.02)
        opt.zero_grad()
        loss.backward()
        opt.step()
        v = loss.item()
        ema = v if ema is None else 0.97 * ema + 0.03 * v
        if t % 100 == 99:
            print(f"    step {t + 1:4d}   loss {ema:.4f}")
    with torch.no_grad():
        x, y = next(spirals(torch.Generator().manual_seed(99), n=1000))
        return (net(x).argmax(1) == y).float().mean().item()


VARIANTS = {
    "lookahead+gc": lambda ps: Lookahead(CenteredAdam(ps, lr=5e-3), k=6),
    "adam": lambda ps: torch.optim.Adam(ps, lr=5e-3),
}

if __name__ == "__main__":
    for name, make in VARIANTS.items():
        print(name)
        print(f"    test accuracy {train(make, 300, seed=4):.3f}")
