# gradwatch-corpus: kind=second-backward
# holder: self._bank | model._bank | trainer.model._bank | self.model._bank
# first-bad: 1
"""Zero-shot style classifier: images are matched to projected class descriptions."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class ZeroShotConfig:
    classes: int = 12
    text_dim: int = 48
    image_dim: int = 64
    joint: int = 24
    batch: int = 40
    steps: int = 400
    lr: float = 1e-3


class DescriptionStore:
    """Frozen sentence vectors of the class descriptions, one row per class."""

    def __init__(self, cfg, seed):
        g = torch.Generator().manual_seed(seed)
        self.vectors = torch.randn(cfg.classes, cfg.text_dim, generator=g)


class ClassBank(nn.Module):
    """Base for models that compare inputs with one vector per class."""

    def __init__(self):
        super().__init__()
        self._bank = None

    def encode_classes(self):
        raise NotImplementedError

    @property
    def bank(self):
        if self._bank is None:
            self._bank = F.normalize(self.encode_classes(), dim=-1)  # <- culprit
        return self._bank

    def invalidate(self):
        self._bank = None

    def similarities(self, z):
        return F.normalize(z, dim=-1) @ self.bank.T


class ZeroShotModel(ClassBank):
    def __init__(self, cfg, store):
        super().__init__()
        self.store = store
        self.image = nn.Sequential(
            nn.Linear(cfg.image_dim, 48), nn.ReLU(), nn.Linear(48, cfg.joint)
        )
        self.text = nn.Sequential(
            nn.Linear(cfg.text_dim, 32), nn.GELU(), nn.Linear(32, cfg.joint)
        )
        self.log_scale = nn.Parameter(torch.tensor(2.0))

    def encode_classes(self):
        return self.text(self.store.vectors)

    def forward(self, x):
        return self.log_scale.exp() * self.similarities(self.image(x))


class Evaluator:
    def __init__(self, every, source):
        self.every = every
        self.source = source

    def on_step_end(self, step, model):
        if (step + 1) % self.every:
            return
        model.invalidate()
        with torch.no_grad():
            x, y = self.source.draw(200)
            acc = (model(x).argmax(-1) == y).float().mean().item()
        model.invalidate()
        print(f"step {step + 1}: accuracy {acc:.3f}")


class ImageSource:
    def __init__(self, cfg, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.means = torch.randn(cfg.classes, cfg.image_dim, generator=self.g)

    def draw(self, n):
        y = torch.randint(len(self.means), (n,), generator=self.g)
        return self.means[y] + torch.randn(n, self.means.shape[1], generator=self.g), y


class Trainer:
    def __init__(self, model, cfg, callbacks):
        self.model, self.cfg, self.callbacks = model, cfg, callbacks
        self.opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)

    def fit(self, source):
        for step in range(self.cfg.steps):
            x, y = source.draw(self.cfg.batch)
            loss = F.cross_entropy(self.model(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            for cb in self.callbacks:
                cb.on_step_end(step, self.model)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=400)
    cfg = ZeroShotConfig(steps=parser.parse_args().steps)
    torch.manual_seed(17)
    source = ImageSource(cfg, seed=17)
    model = ZeroShotModel(cfg, DescriptionStore(cfg, seed=18))
    Trainer(model, cfg, [Evaluator(50, source)]).fit(source)


if __name__ == "__main__":
    main()
