# gradwatch-corpus: kind=none
"""Route parcels to depots; several small batches make one step."""
from collections import deque
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Routing:
    depots: int = 6
    features: int = 16
    micro: int = 4
    size: int = 24
    steps: int = 70
    lr: float = 0.02


@dataclass
class Bundle:
    """The losses of one step's small batches, until they are settled together."""
    parts: list = field(default_factory=list)
    weights: list = field(default_factory=list)

    def add(self, loss, weight):
        self.parts.append(loss)
        self.weights.append(weight)

    def settle(self):
        w = torch.tensor(self.weights)
        return (torch.stack(self.parts) * w / w.sum()).sum()


class StepScope:
    def __init__(self, opt):
        self.opt = opt
        self.window = deque(maxlen=10)
        self._open = None

    @contextmanager
    def gather(self):
        self._open = Bundle()
        try:
            yield self._open
            total = self._open.settle()
            self.opt.zero_grad(set_to_none=True)
            total.backward()
            self.opt.step()
            self.window.append(total.detach())
        finally:
            self._open = None

    @property
    def smooth(self):
        return torch.stack(list(self.window)).mean().item()


class Parcels:
    def __init__(self, cfg):
        self.cfg = cfg
        self.place = torch.randn(cfg.depots, cfg.features)

    def micro_batches(self):
        for _ in range(self.cfg.micro):
            n = self.cfg.size - int(torch.randint(0, 8, ()))
            depot = torch.randint(0, self.cfg.depots, (n,))
            yield self.place[depot] + 1.5 * torch.randn(n, self.cfg.features), depot


class Router(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.inp = nn.Linear(cfg.features, 40)
        self.out = nn.Linear(40, cfg.depots)

    def forward(self, x):
        return self.out(torch.relu(self.inp(x)))


class BaseTrainer:
    def __init__(self, cfg, net):
        self.cfg, self.net = cfg, net
        self.scope = StepScope(torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9))

    def loss(self, batch):
        raise NotImplementedError

    def run(self, source):
        for step in range(self.cfg.steps):
            with self.scope.gather() as bundle:
                for batch in source.micro_batches():
                    bundle.add(self.loss(batch), float(len(batch[1])))
            if step % 14 == 0:
                print(f"step {step:2d} loss {self.scope.smooth:.4f}")


class RouterTrainer(BaseTrainer):
    def loss(self, batch):
        x, depot = batch
        return F.cross_entropy(self.net(x), depot)


if __name__ == "__main__":
    torch.manual_seed(22)
    cfg = Routing()
    RouterTrainer(cfg, Router(cfg)).run(Parcels(cfg))
