# gradwatch-corpus: kind=none
"""Hardness of alloys from composition with a gradient-norm regulariser and a guard that steps around bad batches."""
import copy
from collections import Counter, deque
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)


class BadBatch(ArithmeticError):
    pass


@dataclass
class FlatConfig:
    seed: int = 29
    elements: int = 7
    hidden: int = 16
    batch: int = 14
    steps: int = 520
    strength: float = 0.02
    limit: float = 4.0
    keep: int = 6
    snapshot_every: int = 40


class HardnessNet(nn.Sequential):
    def __init__(self, c):
        super().__init__(nn.Linear(c.elements, c.hidden), nn.Softplus(), nn.Linear(c.hidden, 1))


class FlatTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = HardnessNet(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)
        self.truth = torch.randn(cfg.elements, cfg.elements)
        self.incidents = deque(maxlen=cfg.keep)
        self.kinds = Counter()
        self.snapshots = deque(maxlen=3)

    def batch(self):
        x = torch.distributions.Dirichlet(torch.ones(self.cfg.elements)).sample((self.cfg.batch,))
        y = 4 * torch.einsum("bi,ij,bj->b", x, self.truth, x) + 0.05 * torch.randn(len(x))
        if torch.rand(()) < 0.15:
            y = y + 10 * torch.randn(())
        return x, y

    def data_loss(self, x, y):
        loss = (self.net(x).squeeze(1) - y).pow(2).mean()
        if loss.item() > self.cfg.limit:
            raise BadBatch(f"{loss.item():.2f}")
        return loss

    def regularised(self, x, y):
        loss = self.data_loss(x, y)
        g = torch.autograd.grad(loss, list(self.net.parameters()), create_graph=True)
        return loss + self.cfg.strength * sum(v.pow(2).sum() for v in g)

    def curvature(self, x, y):
        twin = copy.deepcopy(self.net)
        (twin(x).squeeze(1) - y).pow(2).mean().backward(create_graph=True)
        total = sum(p.grad.sum() for p in twin.parameters())
        hv = torch.autograd.grad(total, list(twin.parameters()))
        twin.zero_grad(set_to_none=True)
        return sum(h.pow(2).sum().item() for h in hv)

    def step(self, n):
        x, y = self.batch()
        try:
            loss = self.regularised(x, y)
        except BadBatch as bad:
            self.incidents.append(bad)
            self.kinds[type(bad).__name__] += 1
            loss = nn.functional.l1_loss(self.net(x).squeeze(1), y)
        self.opt.zero_grad(set_to_none=True)
        loss.backward()
        self.opt.step()
        if n % self.cfg.snapshot_every == 0:
            self.snapshots.append(copy.deepcopy(self.net.state_dict()))
            print(n, round(loss.item(), 3), round(self.curvature(x, y), 3))

    def fit(self):
        for n in range(self.cfg.steps):
            self.step(n)
        print(dict(self.kinds), [str(b) for b in self.incidents])


if __name__ == "__main__":
    conf = FlatConfig()
    torch.manual_seed(conf.seed)
    FlatTrainer(conf).fit()
