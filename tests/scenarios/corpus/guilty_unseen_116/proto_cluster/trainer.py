from dataclasses import dataclass, field

import torch
import torch.nn.functional as F


@dataclass
class Spec:
    seed: int = 77
    items: int = 30
    width: int = 18
    groups: int = 6
    steps: int = 180
    batch: int = 36
    temp: float = 0.15
    lr: float = 4e-3
    hooks: dict = field(default_factory=lambda: {
        "usage": {"groups": 6},
        "unit_prototypes": {"every": 10, "after": 20},
        "console": {"every": 5},
    })


class ProtoTrainer:
    def __init__(self, spec, net):
        self.spec, self.net = spec, net
        self.hooks = []
        self.opt = torch.optim.Adam(net.parameters(), lr=spec.lr)
        self.gen = torch.Generator().manual_seed(spec.seed)
        self.basis = torch.rand(spec.groups, spec.items, generator=self.gen)

    def add(self, hook):
        self.hooks.append(hook)

    def _tell(self, point, *args):
        for h in self.hooks:
            getattr(h, point)(self, *args)

    def receipts(self):
        kind = torch.randint(0, self.spec.groups, (self.spec.batch,), generator=self.gen)
        return (torch.rand(self.spec.batch, self.spec.items, generator=self.gen) < self.basis[kind]).float()

    @torch.no_grad()
    def balanced(self, scores, rounds=3):
        q = torch.exp(scores / 0.1)
        for _ in range(rounds):
            q = q / q.sum(0, keepdim=True)
            q = q / q.sum(1, keepdim=True)
        return q

    def fit(self):
        for step in range(self.spec.steps):
            x = self.receipts()
            self._tell("batch", step)
            drop = (torch.rand(x.shape, generator=self.gen) > 0.1).float()
            scores = self.net(x * drop)
            self._tell("scored", step, scores)
            with torch.no_grad():
                target = self.balanced(self.net(x))
            loss = F.cross_entropy(scores / self.spec.temp, target)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self._tell("stepped", step, loss.item())
