# gradwatch-corpus: kind=second-backward
# first-bad: 20
import json
import sys
from dataclasses import asdict, dataclass

import torch

from balance import TaskBalancer
from model import CellNet, TASKS
from wells import Plate


@dataclass(frozen=True)
class Config:
    steps: int = 500
    genes: int = 50
    batch: int = 24
    lr: float = 2e-3
    rebalance_every: int = 20
    alpha: float = 0.5

    @classmethod
    def from_argv(cls, argv):
        given = dict(a.split("=", 1) for a in argv)
        return cls(**{k: type(getattr(cls, k))(v) for k, v in given.items()})


def train(cfg: Config) -> None:
    torch.manual_seed(2)
    plate, net = Plate(cfg.genes, seed=2), CellNet(cfg.genes)
    opt = torch.optim.NAdam(net.parameters(), lr=cfg.lr)
    balancer = TaskBalancer(TASKS, shared=net.trunk[-2].weight, alpha=cfg.alpha)
    for step in range(cfg.steps):
        counts, labels = plate.sample(cfg.batch)
        losses = net.losses(counts, labels)
        if step and step % cfg.rebalance_every == 0:
            balancer.refresh(losses)
        total = sum(balancer.weight[t] * losses[t] for t in TASKS)
        opt.zero_grad()
        total.backward()
        opt.step()
        if step % 10 == 0:
            print(step, {t: round(v.item(), 3) for t, v in losses.items()})


if __name__ == "__main__":
    config = Config.from_argv(sys.argv[1:])
    print(json.dumps(asdict(config)))
    train(config)
