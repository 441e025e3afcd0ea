from abc import ABC, abstractmethod

import torch
from torch import nn


class BaseTrainer(ABC):
    lr = 1e-3

    def __init__(self, model):
        self.model = model
        self.optimizer = self.configure_optimizer()

    @abstractmethod
    def configure_optimizer(self):
        ...

    @abstractmethod
    def compute_loss(self, batch):
        ...

    def optimizer_step(self, loss):
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()  # <- culprit

    def fit(self, data):
        self.model.train()
        for i, batch in enumerate(data):
            loss = self.compute_loss(batch)
            self.optimizer_step(loss)
            if i % 30 == 0:
                print(f"{type(self).__name__} {i} {loss.item():.4f}")


class KWSTrainer(BaseTrainer):
    def configure_optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=1e-3)

    def compute_loss(self, batch):
        x, y = batch
        return nn.functional.cross_entropy(self.model(x), y)
