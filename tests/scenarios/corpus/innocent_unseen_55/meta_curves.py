# gradwatch-corpus: kind=none
"""Second-order MAML on sine curves; keeps the best few initialisations."""
import heapq
import itertools
import math
from collections import UserDict, deque
from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call


class Fast(UserDict):
    """Named weights one can take gradient steps on."""

    @classmethod
    def of(cls, module):
        return cls(module.named_parameters())

    def stepped(self, loss, rates):
        grads = torch.autograd.grad(loss, list(self.values()), create_graph=True)
        return Fast({k: p - rates[k] * g for (k, p), g in zip(self.items(), grads)})

    def frozen(self):
        return {k: p.detach().clone() for k, p in self.items()}


class Best:
    def __init__(self, size):
        self.size = size
        self.heap = []
        self.n = itertools.count()

    def offer(self, loss, fast):
        if len(self.heap) == self.size and -loss <= self.heap[0][0]:
            return
        heapq.heappush(self.heap, (-loss, next(self.n), fast.frozen()))
        while len(self.heap) > self.size:
            heapq.heappop(self.heap)

    @property
    def top(self):
        return -max(self.heap)[0]


@dataclass(frozen=True)
class Progress:
    outer: float = math.nan
    tasks: int = 0

    def seen(self, loss, tasks):
        v = loss.item()
        return replace(self, outer=v if math.isnan(self.outer) else 0.9 * self.outer + 0.1 * v, tasks=self.tasks + tasks)


def curve(n=12):
    amp, shift = 0.5 + torch.rand(()), math.pi * torch.rand(())

    def draw():
        x = torch.rand(n, 1) * 8 - 4
        return x, amp * torch.sin(x + shift)

    return draw


class Meta:
    def __init__(self, inner=2, tasks=3):
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
        names = [k for k, _ in self.net.named_parameters()]
        self.log_rate = nn.ParameterDict({k.replace(".", "_"): nn.Parameter(torch.tensor(-3.0)) for k in names})
        self.opt = torch.optim.Adam([*self.net.parameters(), *self.log_rate.parameters()], lr=4e-3)
        self.inner, self.tasks = inner, tasks
        self.best = Best(3)
        self.progress = Progress()
        self.recent = deque(maxlen=10)

    def adapt(self, draw):
        fast = Fast.of(self.net)
        rates = {k: self.log_rate[k.replace(".", "_")].exp() for k in fast}
        for _ in range(self.inner):
            x, y = draw()
            fast = fast.stepped(F.mse_loss(functional_call(self.net, fast.data, (x,)), y), rates)
        return fast

    def step(self):
        losses = []
        for draw in (curve() for _ in range(self.tasks)):
            x, y = draw()
            losses.append(F.mse_loss(functional_call(self.net, self.adapt(draw).data, (x,)), y))
        outer = torch.stack(losses).mean()
        self.opt.zero_grad()
        outer.backward()
        self.opt.step()
        self.progress = self.progress.seen(outer, len(losses))
        self.recent.append(outer.detach())
        self.best.offer(outer.item(), Fast.of(self.net))


if __name__ == "__main__":
    torch.manual_seed(19)
    meta = Meta()
    for k in range(80):
        meta.step()
        if k % 16 == 15:
            print(f"{k + 1:3d} outer {meta.progress.outer:.3f} top {meta.best.top:.3f} tasks {meta.progress.tasks}")
