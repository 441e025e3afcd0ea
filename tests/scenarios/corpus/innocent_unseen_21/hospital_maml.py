# gradwatch-corpus: kind=none
"""Second-order MAML across hospitals: a lesion classifier that adapts to a scanner in two steps.
Model and scanner profiles are registered, the rest is config."""
from dataclasses import dataclass, field
from typing import Callable

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

MODELS: dict = {}
SCANNERS: dict = {}


def register(table: dict, key: str) -> Callable:
    def wrap(obj):
        assert key not in table, key
        table[key] = obj
        return obj

    return wrap


@dataclass(frozen=True)
class InnerConfig:
    steps: int = 2
    lr: float = 0.1
    shots: int = 12


@dataclass(frozen=True)
class MetaConfig:
    model: str = "patch-cnn"
    inner: InnerConfig = field(default_factory=InnerConfig)
    hospitals_per_step: int = 2
    meta_lr: float = 2e-3
    steps: int = 220
    patch: int = 12
    seed: int = 41
    log_every: int = 55


@register(MODELS, "patch-cnn")
def patch_cnn(cfg: MetaConfig) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 6, 3, padding=1), nn.Tanh(), nn.AvgPool2d(2), nn.Flatten(),
        nn.Linear(6 * (cfg.patch // 2) ** 2, 2),
    )


@register(SCANNERS, "bright")
def bright(x, g):
    return x * 1.5 + 0.5


@register(SCANNERS, "inverted")
def inverted(x, g):
    return -x


@register(SCANNERS, "noisy")
def noisy(x, g):
    return x + 0.5 * torch.randn(x.shape, generator=g)


class Hospital:
    def __init__(self, name, cfg, gen):
        self.name, self.cfg, self.gen = name, cfg, gen
        axis = torch.linspace(-1, 1, cfg.patch)
        yy, xx = torch.meshgrid(axis, axis, indexing="ij")
        self.lesion = torch.exp(-(xx ** 2 + yy ** 2) / 0.1)

    def draw(self, n):
        label = torch.randint(2, (n,), generator=self.gen)
        x = 0.4 * torch.randn(n, 1, self.cfg.patch, self.cfg.patch, generator=self.gen)
        x = x + label[:, None, None, None] * self.lesion
        return SCANNERS[self.name](x, self.gen), label


class MetaLearner:
    def __init__(self, cfg):
        self.cfg = cfg
        gen = torch.Generator().manual_seed(cfg.seed)
        self.model = MODELS[cfg.model](cfg)
        self.hospitals = [Hospital(name, cfg, gen) for name in SCANNERS]
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.meta_lr)
        self.adapted: dict = {}
        self.history: dict = {name: [] for name in SCANNERS}

    def loss(self, weights, batch):
        x, y = batch
        return F.cross_entropy(functional_call(self.model, weights, (x,)), y)

    def adapt(self, hospital):
        weights = dict(self.model.named_parameters())
        for _ in range(self.cfg.inner.steps):
            loss = self.loss(weights, hospital.draw(self.cfg.inner.shots))
            grads = torch.autograd.grad(loss, list(weights.values()), create_graph=True)
            weights = {k: w - self.cfg.inner.lr * g for (k, w), g in zip(weights.items(), grads)}
        return weights

    def meta_loss(self, chosen):
        for hospital in chosen:
            self.adapted[hospital.name] = self.adapt(hospital)
        losses = []
        for hospital in chosen:
            value = self.loss(self.adapted[hospital.name], hospital.draw(self.cfg.inner.shots))
            self.history[hospital.name].append(value.item())
            losses.append(value)
        return torch.stack(losses).mean()

    def step(self, i):
        n = len(self.hospitals)
        chosen = [self.hospitals[(i + k) % n] for k in range(self.cfg.hospitals_per_step)]
        loss = self.meta_loss(chosen)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.adapted.clear()

    def run(self):
        for i in range(self.cfg.steps):
            self.step(i)
            if (i + 1) % self.cfg.log_every == 0:
                recent = {k: sum(v[-20:]) / max(1, len(v[-20:])) for k, v in self.history.items()}
                print(f"{i + 1:4d}  " + "  ".join(f"{k} {v:.3f}" for k, v in recent.items()))


if __name__ == "__main__":
    torch.manual_seed(41)
    MetaLearner(MetaConfig()).run()
