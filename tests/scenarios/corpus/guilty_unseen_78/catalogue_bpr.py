# gradwatch-corpus: kind=graph-chain
# holder: self.item_centre | reg.item_centre | self.reg.item_centre | trainer.reg.item_centre | item_centre
# first-bad: 1
# notice: 5
"""BPR recommender with a slow teacher and a moving-centre regulariser."""
import copy
from dataclasses import dataclass, field
from typing import List

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Cfg:
    users: int = 60
    items: int = 90
    dim: int = 12
    batch: int = 64
    steps: int = 150
    lr: float = 0.02
    teacher_rate: float = 0.05
    centre_rate: float = 0.1
    pull: float = 0.5


class Factors(nn.Module):
    def __init__(self, cfg: Cfg) -> None:
        super().__init__()
        self.user = nn.Embedding(cfg.users, cfg.dim)
        self.item = nn.Embedding(cfg.items, cfg.dim)
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)

    def forward(self, u: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        return (self.user(u) * self.item(i)).sum(-1)


class Teacher:
    def __init__(self, model: nn.Module, rate: float) -> None:
        self.net = copy.deepcopy(model)
        self.rate = rate

    @torch.no_grad()
    def follow(self, model: nn.Module) -> None:
        for slow, fast in zip(self.net.parameters(), model.parameters()):
            slow.lerp_(fast, self.rate)

    @torch.no_grad()
    def score(self, u: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        return self.net(u, i)


class CentreRegulariser:
    """Keeps both embedding clouds around slowly moving centres of each other."""

    def __init__(self, cfg: Cfg) -> None:
        self.rate = cfg.centre_rate
        self.user_centre = torch.zeros(cfg.dim)
        self.item_centre = torch.zeros(cfg.dim)

    def __call__(self, model: Factors) -> torch.Tensor:
        users, items = model.user.weight, model.item.weight
        self.user_centre = torch.lerp(self.user_centre, users.detach().mean(0), self.rate)
        self.item_centre = torch.lerp(self.item_centre, items.mean(0), self.rate)  # <- culprit
        return F.mse_loss(users.mean(0), self.item_centre) + F.mse_loss(items.mean(0), self.user_centre)


@dataclass
class Trainer:
    cfg: Cfg
    model: Factors
    reg: CentreRegulariser
    teacher: Teacher
    curve: List[float] = field(default_factory=list)
    spread: List[torch.Tensor] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.opt = torch.optim.Adam(self.model.parameters(), lr=self.cfg.lr)

    def step(self, u: torch.Tensor, pos: torch.Tensor, neg: torch.Tensor) -> None:
        good, bad = self.model(u, pos), self.model(u, neg)
        rank = -F.logsigmoid(good - bad).mean()
        distil = F.mse_loss(good - bad, self.teacher.score(u, pos) - self.teacher.score(u, neg))
        loss = rank + 0.1 * distil + self.cfg.pull * self.reg(self.model)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.follow(self.model)
        self.curve.append(loss.item())
        self.spread.append(self.model.item.weight.std(0).mean().detach())

    def run(self, taste: torch.Tensor) -> None:
        cfg = self.cfg
        for it in range(cfg.steps):
            u = torch.randint(cfg.users, (cfg.batch,))
            cand = torch.randint(cfg.items, (cfg.batch, 2))
            swap = taste[u, cand[:, 0]] < taste[u, cand[:, 1]]
            pos = torch.where(swap, cand[:, 1], cand[:, 0])
            neg = torch.where(swap, cand[:, 0], cand[:, 1])
            self.step(u, pos, neg)
            if it % 50 == 49:
                print(it + 1, sum(self.curve[-50:]) / 50, torch.stack(self.spread[-50:]).mean().item())


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(23)
    cfg = Cfg()
    taste = torch.randn(cfg.users, 4) @ torch.randn(4, cfg.items)
    model = Factors(cfg)
    trainer = Trainer(cfg, model, CentreRegulariser(cfg), Teacher(model, cfg.teacher_rate))
    trainer.run(taste)
