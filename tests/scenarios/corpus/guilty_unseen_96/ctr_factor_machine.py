# gradwatch-corpus: kind=graph-held
# holder: later | live | progress.loss
# first-bad: 1
# notice: 8
"""Click-through-rate factorisation machine; training is a generator that both the console and the final report read."""
import itertools
import math
from collections import namedtuple

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)

FIELDS = {"site": 12, "slot": 5, "hour": 24, "device": 3, "campaign": 20}
Progress = namedtuple("Progress", "step loss rate")


class FM(nn.Module):
    def __init__(self, sizes, dim=6):
        super().__init__()
        total = sum(sizes)
        starts = torch.tensor([0, *itertools.accumulate(sizes)][:-1])
        self.register_buffer("starts", starts)
        self.linear = nn.Embedding(total, 1)
        self.factors = nn.Embedding(total, dim)
        self.bias = nn.Parameter(torch.zeros(()))
        nn.init.normal_(self.factors.weight, std=0.05)
        nn.init.zeros_(self.linear.weight)

    def forward(self, rows):
        ids = rows + self.starts
        v = self.factors(ids)
        pair = 0.5 * (v.sum(1).pow(2) - v.pow(2).sum(1)).sum(1)
        return self.bias + self.linear(ids).sum((1, 2)) + pair


def impressions(n, gen):
    while True:
        rows = torch.stack([torch.randint(k, (n,), generator=gen) for k in FIELDS.values()], 1)
        taste = torch.sin(rows[:, 0] * 1.3 + rows[:, 4] * 0.7) + 0.5 * (rows[:, 3] == 1)
        evening = 0.6 * torch.cos((rows[:, 2] - 20) * math.pi / 12)
        y = torch.bernoulli(torch.sigmoid(taste + evening - 1.2), generator=gen)
        yield rows, y


def fit(model, stream, steps, lr=0.03):
    opt = torch.optim.Adagrad(model.parameters(), lr=lr)
    for step, (rows, y) in enumerate(itertools.islice(stream, steps)):
        loss = F.binary_cross_entropy_with_logits(model(rows), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        yield Progress(step, loss, y.mean().item())  # <- culprit


def console(progress, every):
    for p in itertools.islice(progress, every - 1, None, every):
        print(f"{p.step + 1:5d}  log-loss {p.loss:.4f}  ctr {p.rate:.3f}")


def report(progress, width):
    """Mean log-loss per tenth of training."""
    bars = []
    rows = list(progress)
    for a in range(0, len(rows), width):
        part = rows[a:a + width]
        bars.append(sum(p.loss.item() for p in part) / len(part))
    return bars


def main():
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(55)
    model = FM(list(FIELDS.values()))
    live, later = itertools.tee(fit(model, impressions(64, gen), steps=400))  # <- culprit
    console(live, every=80)
    print("by tenths:", " ".join(f"{b:.3f}" for b in report(later, 40)))


if __name__ == "__main__":
    main()
