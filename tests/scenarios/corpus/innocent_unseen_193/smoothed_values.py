# gradwatch-corpus: kind=none
from collections import defaultdict, deque

import torch
from torch import nn
import torch.nn.functional as F


class SmoothedValue:
    def __init__(self, window_size=20):
        self.deque = deque(maxlen=window_size)
        self.total, self.count = 0.0, 0

    def update(self, value, n=1):
        self.deque.append(value)
        self.count += n
        self.total += float(value.detach()) * n

    @property
    def median(self):
        return torch.stack([v.detach() for v in self.deque]).median().item()

    @property
    def global_avg(self):
        return self.total / self.count


class MetricLogger:
    def __init__(self):
        self.meters = defaultdict(SmoothedValue)

    def update(self, **kwargs):
        for k, v in kwargs.items():
            self.meters[k].update(v)

    def log_every(self, iterable, freq, header):
        for i, obj in enumerate(iterable):
            yield obj
            if i % freq == 0:
                parts = [f"{k}: {m.median:.4f} ({m.global_avg:.4f})" for k, m in self.meters.items()]
                print(header, i, "  ".join(parts))


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(20, 32), nn.ReLU())
        self.cls, self.box = nn.Linear(32, 3), nn.Linear(32, 4)

    def forward(self, x, y, b):
        h = self.trunk(x)
        return {"loss_cls": F.cross_entropy(self.cls(h), y), "loss_box": F.l1_loss(self.box(h), b)}


def loader(n, seed=0):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(20, 4, generator=g)
    for _ in range(n):
        x = torch.randn(16, 20, generator=g)
        yield x, (x @ w)[:, :3].argmax(1), x @ w


def main():
    torch.manual_seed(0)
    model = Detector()
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    logger = MetricLogger()
    for x, y, b in logger.log_every(loader(450), 100, "train"):
        losses = model(x, y, b)
        loss = sum(losses.values())
        opt.zero_grad()
        loss.backward()
        opt.step()
        logger.update(loss=loss, **losses)


if __name__ == "__main__":
    main()
