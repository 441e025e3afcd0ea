# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | self.fast[k] | learner.fast[k]
# first-bad: 1
"""Learning the per-tensor step sizes of a small regressor while it trains (hypergradient on a held-out batch)."""
from functools import partial

import torch
from torch import nn
from torch.func import functional_call

SPEC = dict(hidden=20, start_rate=0.03, meta_rate=2e-2, rounds=170, batch=24, report=25)


def melt_curve(gen, n):
    """Heat flow against temperature, two peaks, with a slowly moving first peak."""
    t = torch.rand(n, 1, generator=gen) * 4 - 2
    y = torch.exp(-6 * (t + 0.7) ** 2) + 0.6 * torch.exp(-14 * (t - 0.8) ** 2)
    return t, y + 0.03 * torch.randn(n, 1, generator=gen)


class StepSizes(nn.Module):
    def __init__(self, names, start):
        super().__init__()
        self.log = nn.ParameterDict({n.replace(".", "_"): nn.Parameter(torch.tensor(start).log()) for n in names})

    def __getitem__(self, name):
        return self.log[name.replace(".", "_")].exp()

    def summary(self):
        return " ".join(f"{v.exp().item():.4f}" for v in self.log.values())


class Learner:
    def __init__(self, body, start):
        self.body = body
        self.fast = {n: w.detach().clone().requires_grad_() for n, w in body.named_parameters()}
        self.sizes = StepSizes(self.fast, start)

    def risk(self, sample):
        t, y = sample
        return (functional_call(self.body, self.fast, (t,)) - y).square().mean()

    def descend(self, sample):
        slopes = torch.autograd.grad(self.risk(sample), list(self.fast.values()), create_graph=True)
        self.fast = {n: w - self.sizes[n] * s for (n, w), s in zip(self.fast.items(), slopes)}  # <- culprit


def main():
    torch.manual_seed(21)
    draw = partial(melt_curve, torch.Generator().manual_seed(8), SPEC["batch"])
    learner = Learner(nn.Sequential(nn.Linear(1, SPEC["hidden"]), nn.Tanh(), nn.Linear(SPEC["hidden"], 1)), SPEC["start_rate"])
    meta = torch.optim.Adam(learner.sizes.parameters(), lr=SPEC["meta_rate"])
    knobs = list(learner.sizes.parameters())
    smooth = None
    for r in range(SPEC["rounds"]):
        learner.descend(draw())
        held_out = learner.risk(draw())
        meta.zero_grad()
        # the weights are used again in the next round
        held_out.backward(retain_graph=True, inputs=knobs)
        meta.step()
        smooth = held_out.item() if smooth is None else 0.9 * smooth + 0.1 * held_out.item()
        if r % SPEC["report"] == 0:
            print(f"round {r:3d} held-out {smooth:.4f} sizes {learner.sizes.summary()}")


main()
