# gradwatch-corpus: kind=memory-climb
# holder: self.history | monitor.history | self.history[name] | monitor.history[name]
# first-bad: 1
"""Continual learning on rotated Gaussian prototypes, with A-GEM style bookkeeping of gradient agreement.
The monitor tells how much the gradients of neighbouring steps point the same way, per weight matrix."""
import torch
import torch.nn.functional as F
from torch import nn

from monitor import GradientMonitor
from tasks import RotatedPrototypes


class Reservoir:
    """Fixed number of examples over all tasks seen (Vitter's algorithm R)."""

    def __init__(self, size, gen):
        self.size, self.gen = size, gen
        self.x, self.y, self.seen = None, None, 0

    def add(self, x, y):
        if self.x is None:
            self.x, self.y = torch.zeros(self.size, x.size(1)), torch.zeros(self.size, dtype=torch.long)
        for row, label in zip(x, y):
            slot = self.seen if self.seen < self.size else int(torch.randint(0, self.seen + 1, (1,), generator=self.gen))
            if slot < self.size:
                self.x[slot], self.y[slot] = row, label
            self.seen += 1

    def draw(self, n):
        rows = torch.randint(0, min(self.seen, self.size), (n,), generator=self.gen)
        return self.x[rows], self.y[rows]


def train(tasks=5, steps_per_task=50, width=256):
    torch.manual_seed(27)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(28)
    data = RotatedPrototypes(tasks, classes=8, dim=32, gen=gen)
    net = nn.Sequential(nn.Linear(32, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 8))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
    memory = Reservoir(200, gen)
    monitor = GradientMonitor(net)
    for task in range(tasks):
        for _ in range(steps_per_task):
            x, y = data.batch(task, 32)
            loss = F.cross_entropy(net(x), y)
            if memory.seen:
                mx, my = memory.draw(32)
                loss = loss + F.cross_entropy(net(mx), my)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            memory.add(x[:4], y[:4])
        agreement = "  ".join(f"{name} {value:+.2f}" for name, value in monitor.agreement().items())
        scores = [data.accuracy(net, t) for t in range(task + 1)]
        print(f"task {task}: accuracy {' '.join(f'{s:.2f}' for s in scores)}  agreement {agreement}")


if __name__ == "__main__":
    train()
