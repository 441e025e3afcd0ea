# gradwatch-corpus: kind=graph-chain
# holder: self.ema | balancer.ema | self.balancer.ema | self.ema[name] | balancer.ema[name]
# first-bad: 1
"""Linear probes (disease grade, lesion area) on frozen retina features."""
import argparse

import torch
from torch import nn

from torchkit import build
from backbone import FrozenBackbone, fundus_batches


class Probes(nn.Module):
    def __init__(self, dim, n_grades):
        super().__init__()
        self.grade = nn.Linear(dim, n_grades)
        self.area = nn.Linear(dim, 1)

    def forward(self, feats):
        return self.grade(feats), self.area(feats).squeeze(-1)


class ProbeTrainer:
    def __init__(self, args):
        self.args = args
        self.backbone = FrozenBackbone(args.dim)
        self.probes = Probes(args.dim, args.grades)
        self.balancer = build("balancer", args.balancer)
        self.optim = torch.optim.SGD(self.probes.parameters(), lr=args.lr, momentum=0.9)
        self.ce = nn.CrossEntropyLoss()
        self.l1 = nn.SmoothL1Loss()

    def losses(self, image, grade, area):
        logits, est = self.probes(self.backbone(image))
        return {"grade": self.ce(logits, grade), "area": self.l1(est, area)}

    def step(self, batch):
        parts = self.losses(*batch)
        objective = self.balancer(parts)
        self.optim.zero_grad()
        objective.backward(retain_graph=True)
        self.optim.step()
        return {k: v.item() for k, v in parts.items()}

    def fit(self):
        for i, batch in enumerate(fundus_batches(self.args.steps, self.args.grades)):
            row = self.step(batch)
            if i % 20 == 0:
                print(i, {k: round(v, 4) for k, v in row.items()})


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--dim", type=int, default=48)
    p.add_argument("--grades", type=int, default=5)
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--lr", type=float, default=0.02)
    p.add_argument("--balancer", default="relative")
    return p.parse_args()


if __name__ == "__main__":
    torch.manual_seed(1)
    ProbeTrainer(parse()).fit()
