# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Template-method trainer; a subclass overrides the step to clip gradients and forgets one line."""
import abc

import torch
from torch import nn


class Trainer(abc.ABC):
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    @abc.abstractmethod
    def loss(self, batch): ...

    def optimize(self, loss):
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def fit(self, batches):
        for i, b in enumerate(batches):
            loss = self.loss(b)
            self.optimize(loss)
            if i % 40 == 0:
                print(type(self).__name__, i, loss.item())


class ClippedTrainer(Trainer):
    def __init__(self, *a, max_norm=1.0, **kw):
        super().__init__(*a, **kw)
        self.max_norm = max_norm

    def optimize(self, loss):  # <- culprit
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(self.model.parameters(), self.max_norm)
        self.optimizer.step()  # <- culprit


class Denoise(ClippedTrainer):
    def loss(self, batch):
        clean, noisy = batch
        return (self.model(noisy) - clean).abs().mean()


def gen(n):
    for _ in range(n):
        c = torch.randn(64, 1, 64).cumsum(-1) * 0.1
        yield c, c + 0.2 * torch.randn_like(c)


torch.manual_seed(3)
net = nn.Sequential(nn.Conv1d(1, 16, 5, padding=2), nn.ReLU(), nn.Conv1d(16, 16, 5, padding=2), nn.ReLU(), nn.Conv1d(16, 1, 5, padding=2))
Denoise(net, torch.optim.SGD(net.parameters(), lr=0.01)).fit(gen(160))
