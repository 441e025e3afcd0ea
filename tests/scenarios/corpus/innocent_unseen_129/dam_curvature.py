# gradwatch-corpus: kind=none
import contextlib
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(191)


@dataclass
class Slopes:
    grads: list

    def energy(self):
        return sum(g.square().sum() for g in self.grads)


class FlatMinimum:
    """Penalises the gradient's norm; clears .grad after each use, so that nothing hangs on it."""

    def __init__(self, model, weight):
        self.model, self.weight = model, weight

    @contextlib.contextmanager
    def slopes(self, loss):
        params = list(self.model.parameters())
        loss.backward(create_graph=True)
        try:
            yield Slopes([p.grad for p in params])
        finally:
            for p in params:
                p.grad = p.grad.detach()

    def __call__(self, loss, opt):
        opt.zero_grad(set_to_none=True)
        with self.slopes(loss) as s:
            for p in self.model.parameters():
                p.grad = None
            (loss + self.weight * s.energy()).backward()
        opt.step()
        return loss.detach()


class Seepage(nn.Module):
    def __init__(self):
        super().__init__()
        self.gauge = nn.Linear(5, 14)
        self.rate = nn.Linear(14, 1)

    def forward(self, x):
        return self.rate(torch.tanh(self.gauge(x))).squeeze(1)


class Season:
    def __init__(self, name, wet):
        self.name, self.wet = name, wet

    def days(self, n):
        for _ in range(n):
            x = torch.randn(20, 5) + self.wet
            yield x, (x[:, 0] * x[:, 1]).tanh() + 0.2 * x[:, 4]


net = Seepage()
opt = torch.optim.SGD(net.parameters(), lr=0.03)
flat = FlatMinimum(net, 0.02)
means = {}
for year in range(4):
    for season in (Season("dry", 0.0), Season("rain", 0.5), Season("snow", -0.2)):
        kept = [flat((net(x) - y).square().mean(), opt) for x, y in season.days(45)]
        means[season.name] = torch.stack(kept).mean().item()
print(means)
