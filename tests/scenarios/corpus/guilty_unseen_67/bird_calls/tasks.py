from abc import ABC, abstractmethod

from torch import nn
from torch.nn import functional as F


class Encoder(nn.Sequential):
    def __init__(self, dim, bands=40):
        super().__init__(nn.Linear(bands, 48), nn.ReLU(), nn.Linear(48, dim), nn.ReLU())


class Task(ABC):
    name: str
    weight = 1.0

    def __init__(self, dim, classes):
        self.head = nn.Linear(dim, classes)

    @abstractmethod
    def target(self, batch):
        ...

    def learn(self, batch):
        loss = self.weight * F.cross_entropy(self.head(batch.embedding), self.target(batch))
        loss.backward()  # <- culprit
        return loss.item()


class SpeciesTask(Task):
    name = "species"

    def target(self, batch):
        return batch.species


class SiteTask(Task):
    name = "site"
    weight = 0.3

    def target(self, batch):
        return batch.site


class Schedule:
    def __init__(self, *entries):
        self.entries = entries

    def parameters(self):
        return [p for task, _ in self.entries for p in task.head.parameters()]

    def run(self, step, batch):
        return {t.name: t.learn(batch) for t, every in self.entries if step % every == 0}
