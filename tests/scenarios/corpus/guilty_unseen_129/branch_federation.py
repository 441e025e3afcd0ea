# gradwatch-corpus: kind=second-backward
# holder: anchor | brief.anchor | hub.issue().anchor
# first-bad: 1
# notice: 0
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(25)


@dataclass
class Brief:
    round: int
    anchor: torch.Tensor
    strength: float


class Hub(nn.Module):
    """Holds the product taxonomy embeddings shared by all branches."""

    def __init__(self, products=10, dim=8):
        super().__init__()
        self.table = nn.Embedding(products, dim)
        self.refine = nn.Sequential(nn.Linear(dim, dim), nn.Tanh())
        self.round = 0

    def issue(self):
        self.round += 1
        return Brief(self.round, self.refine(self.table.weight), 0.1)  # <- culprit


class Branch:
    def __init__(self, name, hub, skew):
        self.name, self.hub, self.skew = name, hub, skew
        self.scorer = nn.Linear(8, 1)

    def orders(self, n=20):
        p = torch.randint(0, 10, (n,))
        return p, torch.sin(p.float() + self.skew)

    def visit(self, brief, opt):
        p, sales = self.orders()
        pred = self.scorer(brief.anchor[p]).squeeze(1)
        loss = (pred - sales).square().mean() + brief.strength * brief.anchor.square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        return loss.item()


class Coordinator:
    def __init__(self, skews):
        self.hub = Hub()
        self.branches = [Branch(f"b{i}", self.hub, s) for i, s in enumerate(skews)]
        everything = list(self.hub.parameters())
        for b in self.branches:
            everything += list(b.scorer.parameters())
        self.opt = torch.optim.Adam(everything, lr=5e-3)

    def campaign(self, rounds):
        scores = {}
        for _ in range(rounds):
            brief = self.hub.issue()
            for b in self.branches:
                scores[b.name] = b.visit(brief, self.opt)
        return scores


print(Coordinator([0.0, 0.4, 1.1]).campaign(120))
