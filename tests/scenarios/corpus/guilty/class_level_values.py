# gradwatch-corpus: kind=graph-held
# holder: Metric.values | self.values | mse.values | metric.values
# about: a class attribute shared by all instances, so a fresh one each epoch does not help
import torch
from torch import nn


class Metric:
    values = []

    def __call__(self, pred, target):
        value = ((pred - target) ** 2).mean()
        self.values.append(value)  # <- culprit
        return value

    def mean(self):
        return sum(v.item() for v in self.values) / len(self.values)


def epoch(model, optimizer, n=15):
    metric = Metric()
    for _ in range(n):
        x = torch.randn(8, 4)
        loss = metric(model(x), x.flip(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return metric.mean()


torch.manual_seed(0)
model = nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for e in range(4):
    print("epoch", e, "mse", epoch(model, optimizer))
