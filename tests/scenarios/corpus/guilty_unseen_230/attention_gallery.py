# gradwatch-corpus: kind=graph-held
# holder: self.deferred | gallery.deferred | callbacks[0].deferred
# first-bad: 1
"""Tiny patch transformer on synthetic shapes, with a gallery callback that renders at the end."""
from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Callable

import torch
from torch import Tensor, nn


@dataclass
class ViTConfig:
    image: int = 24
    patch: int = 4
    dim: int = 48
    heads: int = 4
    depth: int = 2
    classes: int = 3

    @property
    def tokens(self) -> int:
        return (self.image // self.patch) ** 2


class Block(nn.Module):
    def __init__(self, cfg: ViTConfig) -> None:
        super().__init__()
        self.ln1 = nn.LayerNorm(cfg.dim)
        self.attn = nn.MultiheadAttention(cfg.dim, cfg.heads, batch_first=True)
        self.ln2 = nn.LayerNorm(cfg.dim)
        self.mlp = nn.Sequential(nn.Linear(cfg.dim, 2 * cfg.dim), nn.GELU(), nn.Linear(2 * cfg.dim, cfg.dim))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        z = self.ln1(x)
        mixed, weights = self.attn(z, z, z, need_weights=True)
        x = x + mixed
        return x + self.mlp(self.ln2(x)), weights


class PatchTransformer(nn.Module):
    def __init__(self, cfg: ViTConfig) -> None:
        super().__init__()
        self.embed = nn.Conv2d(1, cfg.dim, cfg.patch, stride=cfg.patch)
        self.position = nn.Parameter(0.02 * torch.randn(1, cfg.tokens, cfg.dim))
        self.blocks = nn.ModuleList(Block(cfg) for _ in range(cfg.depth))
        self.head = nn.Linear(cfg.dim, cfg.classes)

    def forward(self, images: Tensor) -> tuple[Tensor, Tensor]:
        x = self.embed(images).flatten(2).transpose(1, 2) + self.position
        weights = torch.empty(0)
        for block in self.blocks:
            x, weights = block(x)
        return self.head(x.mean(1)), weights


class Callback:
    def on_step_end(self, step: int, loss: float, attention: Tensor) -> None: ...

    def on_train_end(self) -> None: ...


class AttentionGallery(Callback):
    def __init__(self, side: int) -> None:
        self.side = side
        self.deferred: list[Callable[[], str]] = []

    def render(self, weights: Tensor, caption: str) -> str:
        received = weights[0].sum(0).reshape(self.side, self.side)
        row, col = divmod(int(received.argmax()), self.side)
        return f"{caption}: focus at ({row}, {col})"

    def on_step_end(self, step: int, loss: float, attention: Tensor) -> None:
        caption = f"step {step:03d} loss {loss:.3f}"
        self.deferred.append(functools.partial(self.render, attention, caption))  # <- culprit

    def on_train_end(self) -> None:
        for job in self.deferred[::20]:
            print(job())


class Patience(Callback):
    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.best = float("inf")
        self.waited = 0

    def on_step_end(self, step: int, loss: float, attention: Tensor) -> None:
        improved = loss < self.best
        self.best = min(self.best, loss)
        self.waited = 0 if improved else self.waited + 1

    def on_train_end(self) -> None:
        print(f"best loss {self.best:.4f}")


def draw_batch(n: int, size: int) -> tuple[Tensor, Tensor]:
    labels = torch.randint(0, 3, (n,))
    canvas = 0.1 * torch.randn(n, 1, size, size)
    for i, kind in enumerate(labels.tolist()):
        r, c = torch.randint(2, size - 10, (2,)).tolist()
        if kind == 0:
            canvas[i, 0, r : r + 8, c : c + 8] += 1
        elif kind == 1:
            canvas[i, 0, r : r + 2, c : c + 8] += 1
        else:
            canvas[i, 0, r : r + 8, c : c + 2] += 1
    return canvas, labels


def fit(cfg: ViTConfig, steps: int, callbacks: list[Callback]) -> None:
    model = PatchTransformer(cfg)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(steps):
        images, labels = draw_batch(24, cfg.image)
        logits, attention = model(images)
        loss = nn.functional.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for callback in callbacks:
            callback.on_step_end(step, loss.item(), attention)  # <- culprit
    for callback in callbacks:
        callback.on_train_end()


if __name__ == "__main__":
    torch.manual_seed(8)
    config = ViTConfig()
    fit(config, steps=90, callbacks=[AttentionGallery(config.image // config.patch), Patience(10)])
