# gradwatch-corpus: kind=none
"""Dead unit survey: hooks collect activations in some epochs, feed a sparsity term and are removed."""
from contextlib import contextmanager

import torch
from torch import nn

torch.manual_seed(28)
torch.set_num_threads(1)


class Survey:
    def __init__(self, net):
        self.net = net
        self.seen = {}
        self.handles = []

    def attach(self):
        for name, mod in self.net.named_modules():
            if isinstance(mod, nn.ReLU):
                self.handles.append(mod.register_forward_hook(self._make(name)))

    def _make(self, name):
        def hook(mod, args, out):
            self.seen.setdefault(name, []).append(out)
        return hook

    def penalty(self):
        return sum(outs[-1].abs().mean() for outs in self.seen.values())

    def dead(self):
        return {k: float((torch.cat(v) <= 0).all(0).float().mean()) for k, v in self.seen.items()}

    def remove(self):
        while self.handles:
            self.handles.pop().remove()
        self.seen.clear()


@contextmanager
def surveyed(net):
    survey = Survey(net)
    survey.attach()
    try:
        yield survey
    finally:
        survey.remove()


def batch(n=24):
    x = torch.randn(n, 10)
    return x, (x[:, :2].prod(1) > 0).long()


net = nn.Sequential(nn.Linear(10, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 2))
opt = torch.optim.Adam(net.parameters(), lr=3e-3)


def epoch(n, survey=None):
    total = 0.0
    for _ in range(n):
        x, y = batch()
        loss = nn.functional.cross_entropy(net(x), y)
        if survey is not None:
            loss = loss + 0.01 * survey.penalty()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / n


for e in range(8):
    if e % 2:
        with surveyed(net) as survey:
            mean = epoch(12, survey)
            print(e, f"{mean:.4f}", survey.dead())
    else:
        print(e, f"{epoch(20):.4f}")
