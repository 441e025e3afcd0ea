# gradwatch-corpus: kind=graph-chain
# holder: self._anchor | trainer._anchor | self._anchor[name]
# first-bad: 1
from __future__ import annotations

import argparse
from typing import Iterator

import torch
from torch import Tensor, nn


class TrainerBase:
    lr = 0.05

    def __init__(self, model: nn.Module):
        self.model = model
        self.opt = torch.optim.SGD(model.parameters(), lr=self.lr)
        self.setup()

    def setup(self) -> None: ...

    def objective(self, x: Tensor, y: Tensor) -> Tensor:
        raise NotImplementedError

    def after_backward(self) -> None: ...

    def run(self, data: Iterator, n_steps: int, log_every: int = 20) -> None:
        for k in range(n_steps):
            x, y = next(data)
            loss = self.objective(x, y)
            self.opt.zero_grad()
            loss.backward()
            self.after_backward()
            self.opt.step()
            if k % log_every == 0:
                print(f"{type(self).__name__} {k:>4d} {loss.item():.4f}")


class AnchorMixin:
    """Pulls the weights towards a slowly moving copy of themselves."""
    pull = 0.02
    rate = 0.05

    def setup(self) -> None:
        super().setup()
        self._anchor = {n: p.detach().clone() for n, p in self.model.named_parameters()}

    def objective(self, x, y):
        return super().objective(x, y) + self.pull * self.anchor_penalty()

    def anchor_penalty(self) -> Tensor:
        return sum((p - self._anchor[n]).pow(2).sum() for n, p in self.model.named_parameters())

    def after_backward(self) -> None:
        super().after_backward()
        for name, p in self.model.named_parameters():
            self._anchor[name] = torch.lerp(self._anchor[name], p, self.rate)  # <- culprit


class ClassifierTrainer(TrainerBase):
    def setup(self) -> None:
        self.ce = nn.CrossEntropyLoss()

    def objective(self, x, y):
        return self.ce(self.model(x), y)


class AnchoredClassifier(AnchorMixin, ClassifierTrainer):
    pass


def ticket_stream(n_topics: int, dim: int, batch: int) -> Iterator:
    centres = torch.randn(n_topics, dim) * 1.5
    while True:
        y = torch.randint(0, n_topics, (batch,))
        centres += 0.01 * torch.randn_like(centres)
        yield centres[y] + torch.randn(batch, dim), y


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--seed", type=int, default=8)
    ns = ap.parse_args()
    torch.manual_seed(ns.seed)
    net = nn.Sequential(nn.Linear(12, 32), nn.ReLU(), nn.Linear(32, 5))
    trainer = AnchoredClassifier(net)
    trainer.run(ticket_stream(5, 12, 64), ns.steps)
