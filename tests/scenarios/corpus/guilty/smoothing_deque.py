# gradwatch-corpus: kind=graph-held
# holder: self.deque | metrics.meters["loss"].deque | self.meters["loss"].deque | metrics.meters
# holder: self.meters
# about: a smoothed value over a deque whose window was forgotten
from collections import defaultdict, deque

import torch
from torch import nn


class SmoothedValue:
    def __init__(self, window=None):
        self.deque = deque(maxlen=window)

    def update(self, value):
        self.deque.append(value)  # <- culprit

    @property
    def median(self):
        return torch.tensor([float(v) for v in self.deque]).median().item()


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, **kwargs):
        for k, v in kwargs.items():
            self.meters[k].update(v)  # <- culprit

    def log_every(self, iterable, freq):
        for i, item in enumerate(iterable):
            yield item
            if i % freq == 0:
                print(i, {k: round(m.median, 4) for k, m in self.meters.items()})


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(7, 16), nn.SiLU(), nn.Linear(16, 3))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    data = [(torch.randn(8, 7), torch.randint(0, 3, (8,))) for _ in range(60)]
    metrics = MetricLogger()
    for x, y in metrics.log_every(data, 20):
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        metrics.update(loss=loss, lr=optimizer.param_groups[0]["lr"])  # <- culprit


if __name__ == "__main__":
    main()
