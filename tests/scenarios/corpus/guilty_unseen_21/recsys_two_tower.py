# gradwatch-corpus: kind=graph-held
# holder: self.last_seen | monitor.last_seen | self.monitor.last_seen | self.last_seen[item] | experiment.monitor.last_seen
# first-bad: 1
"""Two-tower retrieval with in-batch softmax. Everything is configured from the dataclasses
below; add a tower or a sampler to its registry and name it in the config."""
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

TOWERS: dict = {}
SAMPLERS: dict = {}


def register(table, name):
    def wrap(obj):
        table[name] = obj
        return obj

    return wrap


@dataclass(frozen=True)
class DataConfig:
    n_users: int = 3_000
    n_items: int = 40_000
    batch_size: int = 48
    sampler: str = "log-uniform"
    seed: int = 11


@dataclass(frozen=True)
class ModelConfig:
    tower: str = "mlp"
    dim: int = 24
    hidden: int = 48
    temperature: float = 0.1


@dataclass(frozen=True)
class ExperimentConfig:
    data: DataConfig = field(default_factory=DataConfig)
    model: ModelConfig = field(default_factory=ModelConfig)
    steps: int = 240
    lr: float = 0.05
    report_every: int = 60


@register(TOWERS, "mlp")
class MLPTower(nn.Module):
    def __init__(self, n_ids, cfg):
        super().__init__()
        self.table = nn.Embedding(n_ids, cfg.dim)
        self.net = nn.Sequential(nn.Linear(cfg.dim, cfg.hidden), nn.GELU(), nn.Linear(cfg.hidden, cfg.dim))

    def forward(self, ids):
        x = self.table(ids)
        return F.normalize(x + self.net(x), dim=-1)


@register(TOWERS, "lookup")
class LookupTower(nn.Module):
    def __init__(self, n_ids, cfg):
        super().__init__()
        self.table = nn.Embedding(n_ids, cfg.dim)

    def forward(self, ids):
        return F.normalize(self.table(ids), dim=-1)


@register(SAMPLERS, "log-uniform")
def log_uniform(cfg, gen):
    top = torch.log(torch.tensor(float(cfg.n_items)))
    while True:
        users = torch.randint(cfg.n_users, (cfg.batch_size,), generator=gen)
        items = torch.exp(torch.rand(cfg.batch_size, generator=gen) * top).long().clamp(max=cfg.n_items - 1)
        yield users, items


@register(SAMPLERS, "uniform")
def uniform(cfg, gen):
    while True:
        yield (
            torch.randint(cfg.n_users, (cfg.batch_size,), generator=gen),
            torch.randint(cfg.n_items, (cfg.batch_size,), generator=gen),
        )


class DriftMonitor:
    """How far does an item move between two visits? Retrieval indexes are rebuilt from this."""

    def __init__(self):
        self.last_seen = {}
        self.drift_sum = 0.0
        self.visits = 0

    def observe(self, items, vectors):
        for item, vector in zip(items.tolist(), vectors):
            before = self.last_seen.get(item)
            if before is not None:
                self.drift_sum += 1.0 - torch.dot(before, vector).item()
                self.visits += 1
            self.last_seen[item] = vector  # <- culprit

    def rate(self):
        return self.drift_sum / max(1, self.visits)


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        tower = TOWERS[cfg.model.tower]
        self.user_tower = tower(cfg.data.n_users, cfg.model)
        self.item_tower = tower(cfg.data.n_items, cfg.model)
        params = [*self.user_tower.parameters(), *self.item_tower.parameters()]
        self.optimizer = torch.optim.SGD(params, lr=cfg.lr)
        self.monitor = DriftMonitor()

    def loss(self, users, items):
        u = self.user_tower(users)
        v = self.item_tower(items)
        logits = u @ v.T / self.cfg.model.temperature
        same = items[:, None].eq(items[None, :]) & ~torch.eye(len(items), dtype=torch.bool)
        logits = logits.masked_fill(same, float("-inf"))
        self.monitor.observe(items, v)  # <- culprit
        return F.cross_entropy(logits, torch.arange(len(items)))

    def run(self):
        gen = torch.Generator().manual_seed(self.cfg.data.seed)
        batches = SAMPLERS[self.cfg.data.sampler](self.cfg.data, gen)
        for step in range(self.cfg.steps):
            loss = self.loss(*next(batches))
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            if step % self.cfg.report_every == 0:
                print(f"step {step:4d} | loss {loss.item():.4f} | drift/visit {self.monitor.rate():.5f}")


if __name__ == "__main__":
    torch.manual_seed(3)
    experiment = Experiment(ExperimentConfig())
    experiment.run()
