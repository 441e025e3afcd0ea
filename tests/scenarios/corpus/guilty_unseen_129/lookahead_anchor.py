# gradwatch-corpus: kind=graph-chain
# holder: opt.slow | self.slow | self.slow[name] | opt.slow["body.0.weight"]
# first-bad: 5
# notice: 5
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(17)


class Blend(NamedTuple):
    every: int
    alpha: float
    pull: float


class Lookahead:
    """k steps forward, one step back; also offers the distance to the anchor as a regulariser."""

    def __init__(self, model, base, blend):
        self.model, self.base, self.blend = model, base, blend
        self.slow = {n: p.detach().clone() for n, p in model.named_parameters()}
        self.ticks = 0

    def zero_grad(self):
        self.base.zero_grad()

    def proximity(self):
        gaps = [(p - self.slow[n]).square().sum() for n, p in self.model.named_parameters()]
        return self.blend.pull * torch.stack(gaps).sum()

    def step(self):
        self.base.step()
        self.ticks += 1
        if self.ticks % self.blend.every == 0:
            self._sync()

    def _sync(self):
        for name, fast in self.model.named_parameters():
            self.slow[name] = torch.lerp(self.slow[name], fast, self.blend.alpha)  # <- culprit
            fast.data.copy_(self.slow[name].data)


class GrainClassifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 18), nn.Mish(), nn.Linear(18, 18), nn.Mish())
        self.kind = nn.Linear(18, 3)

    def forward(self, x):
        return self.kind(self.body(x))


class Elevator:
    """Samples batches of grain measurements."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.centres = torch.randn(3, 10, generator=self.gen)

    def take(self, n):
        y = torch.randint(0, 3, (n,), generator=self.gen)
        return self.centres[y] + torch.randn(n, 10, generator=self.gen), y


def main():
    net = GrainClassifier()
    opt = Lookahead(net, torch.optim.SGD(net.parameters(), lr=0.05), Blend(every=5, alpha=0.5, pull=0.01))
    source = Elevator(2)
    crit = nn.CrossEntropyLoss()
    for _ in range(420):
        x, y = source.take(20)
        loss = crit(net(x), y) + opt.proximity()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(f"{loss.item():.4f}")


main()
