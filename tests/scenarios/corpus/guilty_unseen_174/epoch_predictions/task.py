import torch
from torch import nn
from torch.nn import functional as F

from recording import PredictionRecorder


class Task:
    def __init__(self, lr):
        self.model = self.build()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=lr)

    def build(self):
        raise NotImplementedError

    def on_epoch_end(self, epoch):
        pass


class NextItemTask(PredictionRecorder, Task):
    """Predict the next item out of the last few ones."""

    def __init__(self, items=128, context=4, lr=2e-3):
        self.items, self.context = items, context
        super().__init__(lr)
        self.summary = []

    def build(self):
        return nn.Sequential(
            nn.Embedding(self.items, 16),
            nn.Flatten(),
            nn.Linear(16 * self.context, 48),
            nn.ReLU(),
            nn.Linear(48, self.items),
        )

    def training_step(self, history, target):
        scores = self.model(history)
        loss = F.cross_entropy(scores, target)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.remember(scores, target)
        return loss.item()

    def on_epoch_end(self, epoch):
        self.summary.append(self.recall_at(10, last=25))
        if epoch % 4 == 0:
            print(f"epoch {epoch}: recall@10 {self.summary[-1]:.3f}")
