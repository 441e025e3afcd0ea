# gradwatch-corpus: kind=graph-held
# holder: self.training_step_outputs | module.training_step_outputs
# first-bad: 1
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class Config:
    users: int = 300
    items: int = 200
    dim: int = 24
    batch: int = 64
    lr: float = 5e-3
    temperature: float = 0.1
    max_steps: int = 480
    log_every: int = 80


@dataclass
class StepOutput:
    loss: Tensor
    hits: int
    size: int


class Tower(nn.Module):
    def __init__(self, count: int, dim: int):
        super().__init__()
        self.emb = nn.Embedding(count, dim)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))

    def forward(self, ids: Tensor) -> Tensor:
        return nn.functional.normalize(self.mlp(self.emb(ids)), dim=-1)


class TwoTowerModule(nn.Module):
    def __init__(self, cfg: Config):
        super().__init__()
        self.cfg = cfg
        self.user_tower = Tower(cfg.users, cfg.dim)
        self.item_tower = Tower(cfg.items, cfg.dim)
        self.training_step_outputs: list[StepOutput] = []

    def training_step(self, batch: tuple[Tensor, Tensor]) -> Tensor:
        users, items = batch
        logits = self.user_tower(users) @ self.item_tower(items).T / self.cfg.temperature
        labels = torch.arange(len(users))
        loss = nn.functional.cross_entropy(logits, labels)
        hits = int((logits.argmax(1) == labels).sum())
        self.training_step_outputs.append(StepOutput(loss, hits, len(users)))  # <- culprit
        return loss

    def summary(self, last: int) -> dict[str, float]:
        outs = self.training_step_outputs[-last:]
        return {
            "loss": torch.stack([o.loss for o in outs]).mean().item(),
            "acc": sum(o.hits for o in outs) / sum(o.size for o in outs),
        }

    def configure_optimizers(self):
        opt = torch.optim.AdamW(self.parameters(), lr=self.cfg.lr)
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, self.cfg.max_steps)
        return opt, sched


class ClickData:
    def __init__(self, cfg: Config, seed: int = 0):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        u = torch.randn(cfg.users, 4, generator=self.gen)
        v = torch.randn(cfg.items, 4, generator=self.gen)
        self.probs = torch.softmax(2 * u @ v.T, dim=1)

    def __iter__(self):
        while True:
            users = torch.randint(0, self.cfg.users, (self.cfg.batch,), generator=self.gen)
            items = torch.multinomial(self.probs[users], 1, generator=self.gen).squeeze(1)
            yield users, items


def fit(module: TwoTowerModule, data: ClickData):
    opt, sched = module.configure_optimizers()
    for step, batch in enumerate(data):
        if step == module.cfg.max_steps:
            break
        loss = module.training_step(batch)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        if (step + 1) % module.cfg.log_every == 0:
            print(step + 1, module.summary(module.cfg.log_every))


if __name__ == "__main__":
    torch.manual_seed(0)
    config = Config()
    fit(TwoTowerModule(config), ClickData(config))
