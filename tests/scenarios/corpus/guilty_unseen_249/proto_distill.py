# gradwatch-corpus: kind=graph-chain
# holder: self.centers | bank.centers | self.bank.centers | runner.bank.centers | self._centers | bank._centers | self.bank._centers | runner.bank._centers
# first-bad: 1
"""Prototype distillation: frozen teacher labels, student embeddings, class centers."""
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import nn
from torch.nn import functional as F


@dataclass(frozen=True)
class DistillSpec:
    features: int = 24
    embed: int = 16
    classes: int = 7
    batch: int = 48
    steps: int = 90
    lr: float = 0.05
    momentum: float = 0.9
    center_decay: float = 0.95
    temperature: float = 0.5


class Stepper(Protocol):
    def zero(self) -> None: ...

    def step(self) -> None: ...


class FlatMomentum:
    """In-house momentum SGD working on raw storages."""

    def __init__(self, params, lr, momentum):
        self.params = list(params)
        self.lr = lr
        self.momentum = momentum
        self.buffers = [torch.zeros_like(p.data) for p in self.params]

    def zero(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p, buf in zip(self.params, self.buffers):
            buf.mul_(self.momentum)
            buf.add_(p.grad.data)
            p.data.add_(buf, alpha=-self.lr)


class CenterBank:
    def __init__(self, classes, width, decay):
        self._centers = torch.zeros(classes, width)
        self.decay = decay

    @property
    def centers(self):
        return self._centers

    @centers.setter
    def centers(self, value):
        self._centers = value  # <- culprit

    def refresh(self, embeddings, labels):
        hot = F.one_hot(labels, self._centers.size(0)).float()
        counts = hot.sum(0).clamp(min=1.0).unsqueeze(1)
        means = hot.t() @ embeddings / counts
        self.centers = self.decay * self.centers + (1 - self.decay) * means  # <- culprit
        return self.centers


class DistillRunner:
    def __init__(self, spec: DistillSpec):
        self.spec = spec
        self.teacher = nn.Linear(spec.features, spec.classes)
        self.teacher.requires_grad_(False)
        self.student = nn.Sequential(
            nn.Linear(spec.features, 32),
            nn.Tanh(),
            nn.Linear(32, spec.embed),
        )
        self.bank = CenterBank(spec.classes, spec.embed, spec.center_decay)
        self.stepper: Stepper = FlatMomentum(self.student.parameters(), spec.lr, spec.momentum)
        self.gen = torch.Generator().manual_seed(5)
        self.agreement = []

    def draw(self):
        x = torch.randn(self.spec.batch, self.spec.features, generator=self.gen)
        soft = F.softmax(self.teacher(x) * 3.0, dim=-1)
        return x, soft

    def step(self):
        x, soft = self.draw()
        labels = soft.argmax(-1)
        emb = F.normalize(self.student(x), dim=-1)
        centers = self.bank.refresh(emb, labels)
        logits = emb @ centers.t() / self.spec.temperature
        loss = F.kl_div(F.log_softmax(logits, -1), soft, reduction="batchmean")
        self.stepper.zero()
        loss.backward(retain_graph=True)
        self.stepper.step()
        hits = (logits.argmax(-1) == labels).float().mean().item()
        self.agreement.append(hits)
        return loss.item()


def main():
    torch.manual_seed(3)
    runner = DistillRunner(DistillSpec())
    for index in range(runner.spec.steps):
        value = runner.step()
        if index % 15 == 0:
            recent = runner.agreement[-15:]
            print(f"[distill] {index:03d} kl={value:.4f} agree={sum(recent) / len(recent):.3f}")


if __name__ == "__main__":
    main()
