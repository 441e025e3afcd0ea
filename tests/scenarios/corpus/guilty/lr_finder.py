# gradwatch-corpus: kind=graph-held
# holder: self.smooth | finder.smooth | smooth
# about: a learning-rate range test whose smoothed loss is a tensor linked to all earlier losses
import copy

import torch
from torch import nn


class LRFinder:
    def __init__(self, model, optimizer, criterion, beta=0.95):
        self.model, self.optimizer, self.criterion = model, optimizer, criterion
        self.beta = beta
        self.smooth = 0.0
        self.history = {"lr": [], "loss": []}
        self.state = copy.deepcopy(model.state_dict())

    def range_test(self, batches, start_lr=1e-5, end_lr=1e-1):
        n = len(batches)
        for i, (x, y) in enumerate(batches):
            lr = start_lr * (end_lr / start_lr) ** (i / n)
            for group in self.optimizer.param_groups:
                group["lr"] = lr
            self._step(x, y, i)
            self.history["lr"].append(lr)
        self.model.load_state_dict(self.state)

    def _step(self, x, y, i):
        loss = self.criterion(self.model(x), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.smooth = self.beta * self.smooth + (1 - self.beta) * loss  # <- culprit
        corrected = self.smooth / (1 - self.beta ** (i + 1))
        self.history["loss"].append(corrected.item())

    def suggestion(self):
        best = min(range(len(self.history["loss"])), key=self.history["loss"].__getitem__)
        return self.history["lr"][best] / 10


if __name__ == "__main__":
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2))
    finder = LRFinder(net, torch.optim.SGD(net.parameters(), lr=1e-5), nn.CrossEntropyLoss())
    finder.range_test([(torch.randn(8, 10), torch.randint(0, 2, (8,))) for _ in range(60)])
    print(f"suggested lr: {finder.suggestion():.2e}")
