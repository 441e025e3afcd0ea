# gradwatch-corpus: kind=graph-held
# holder: model.relation.weight | self.relation.weight | self.relation.weight._backward_hooks | model.relation.weight._backward_hooks | weight._backward_hooks
# first-bad: 1
# after: HEmile/storchastic issue 26 "Memory leak in stochastic computation graph" (closure of the backward hook); register_hook threads
"""Knowledge graph completion (RotatE-like) on a random graph with planted relations."""
import math
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Hyper(NamedTuple):
    entities: int = 300
    relations: int = 12
    dim: int = 32
    gamma: float = 6.0
    negatives: int = 8
    batch: int = 128
    steps: int = 120
    lr: float = 0.02
    adversarial_temperature: float = 1.0


SCORERS = {}


def scorer(name):
    def wrap(cls):
        SCORERS[name] = cls
        return cls
    return wrap


class KGModel(nn.Module):
    def __init__(self, hp):
        super().__init__()
        self.hp = hp
        self.entity = nn.Embedding(hp.entities, 2 * hp.dim)
        self.relation = nn.Embedding(hp.relations, hp.dim)
        nn.init.uniform_(self.entity.weight, -0.5, 0.5)
        nn.init.uniform_(self.relation.weight, -math.pi, math.pi)

    def score(self, h, r, t):
        raise NotImplementedError

    def forward(self, h, r, t):
        out = self.score(self.entity(h), self.relation(r), self.entity(t))
        if self.training:
            self._bound_phase_gradient(self.hp.gamma - out)
        return out

    def _bound_phase_gradient(self, distance):
        """Phases of relations whose triples are far away yet must not jump."""
        def limit(grad):
            bound = 1.0 / (1.0 + distance.mean())
            return grad.clamp(-float(bound), float(bound))
        self.relation.weight.register_hook(limit)  # <- culprit


@scorer("rotate")
class Rotate(KGModel):
    def score(self, h, r, t):
        hr, hi = h.chunk(2, -1)
        tr, ti = t.chunk(2, -1)
        c, s = r.cos(), r.sin()
        re = hr * c - hi * s - tr
        im = hr * s + hi * c - ti
        return self.hp.gamma - torch.stack([re, im]).norm(dim=0).sum(-1) / self.hp.dim ** 0.5


def triples(hp, seed=13):
    g = torch.Generator().manual_seed(seed)
    perms = torch.stack([torch.randperm(hp.entities, generator=g) for _ in range(hp.relations)])
    while True:
        h = torch.randint(0, hp.entities, (hp.batch,), generator=g)
        r = torch.randint(0, hp.relations, (hp.batch,), generator=g)
        wrong = torch.randint(0, hp.entities, (hp.batch, hp.negatives), generator=g)
        yield h, r, perms[r, h], wrong


def loss_fn(hp, pos, neg):
    weight = F.softmax(neg * hp.adversarial_temperature, dim=1).detach()
    return -(F.logsigmoid(pos).mean() + (weight * F.logsigmoid(-neg)).sum(1).mean()) / 2


def train(hp=Hyper(), kind="rotate"):
    torch.manual_seed(0)
    model = SCORERS[kind](hp)
    opt = torch.optim.Adagrad(model.parameters(), lr=hp.lr)
    for step, (h, r, t, wrong) in zip(range(hp.steps), triples(hp)):
        opt.zero_grad()
        all_t = torch.cat([t[:, None], wrong], 1)
        out = model(h[:, None], r[:, None], all_t)
        loss = loss_fn(hp, out[:, 0], out[:, 1:])
        loss.backward()
        opt.step()
        if step % 30 == 0:
            rank = (out[:, 1:] > out[:, :1]).sum(1).float().mean() + 1
            print(f"step {step} loss {loss.item():.4f} rank of {hp.negatives + 1}: {rank.item():.2f}")


if __name__ == "__main__":
    train()
