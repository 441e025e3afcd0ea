# gradwatch-corpus: kind=graph-chain
# holder: self.spent | budget.spent | self.budget.spent | net.budget.spent
# first-bad: 1
"""Tabular net with learned column costs; training pays for the compute spent so far."""
from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Bus:
    def __init__(self):
        self._subs = defaultdict(list)

    def on(self, name):
        def register(fn):
            self._subs[name].append(fn)
            return fn
        return register

    def emit(self, name, **payload):
        for fn in self._subs[name]:
            fn(**payload)


class Budget:
    """Compares the gates opened over the run with an even allowance per step."""

    def __init__(self, per_step):
        self.per_step = per_step
        self.spent = torch.zeros(())
        self.steps = 0

    def charge(self, amount):
        self.spent = self.spent + amount  # <- culprit
        self.steps += 1

    @property
    def overrun(self):
        return self.spent - self.per_step * self.steps


class GatedTable(nn.Module):
    def __init__(self, cards, n_num, width=16):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(c, 4) for c in cards)
        self.scale = nn.Parameter(torch.ones(len(cards) + 1))
        self.body = nn.Sequential(nn.Linear(4 * len(cards) + n_num, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, cat, num):
        cols = [e(cat[:, i]) * self.scale[i] for i, e in enumerate(self.emb)]
        return self.body(torch.cat([*cols, num * self.scale[-1]], 1)).squeeze(1)


def rows(cards, n_num, gen):
    while True:
        cat = torch.stack([torch.randint(0, c, (64,), generator=gen) for c in cards], 1)
        num = torch.randn(64, n_num, generator=gen)
        y = ((cat[:, 0] % 3 == 0).float() + num[:, 0] > 0.5).float()
        yield cat, num, y


def main():
    torch.manual_seed(2)
    cards, n_num, steps = (9, 14, 5), 3, 140
    net, budget, bus = GatedTable(cards, n_num), Budget(per_step=2.0), Bus()
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)

    @bus.on("forward_done")
    def account(model, **_):
        budget.charge(model.scale.sum())  # <- culprit

    @bus.on("step_done")
    def report(step, bce, **_):
        if step % 35 == 0:
            print(f"{step:4d} bce {bce:.4f} overrun {budget.overrun.item():.2f}")

    for step, (cat, num, y) in zip(range(steps), rows(cards, n_num, torch.Generator().manual_seed(0))):
        logit = net(cat, num)
        bus.emit("forward_done", model=net, step=step)
        bce = F.binary_cross_entropy_with_logits(logit, y)
        loss = bce + 1e-4 * budget.overrun
        opt.zero_grad()
        loss.backward()
        opt.step()
        bus.emit("step_done", step=step, bce=bce.item())


if __name__ == "__main__":
    main()
