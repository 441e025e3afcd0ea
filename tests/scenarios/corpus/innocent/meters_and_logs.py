# gradwatch-corpus: kind=none
# about: everything a logger keeps that looks like a leak: `total_loss += loss.item()`, a deque
# about: of floats, a history dict, a confusion matrix, and the last logged loss as a tensor with
# about: a graph
import json
from collections import defaultdict, deque

import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.meters import MetricLogger
from parts.pace import ITERATIONS


class Logger:
    def __init__(self, every=10):
        self.every = every
        self.history = defaultdict(list)
        self.recent = deque(maxlen=50)
        self.last_logged = None
        self.lines = []

    def log(self, step, loss, **extra):
        self.recent.append(loss.item())
        for name, value in extra.items():
            self.history[name].append(value)
        if step % self.every == 0:
            self.last_logged = loss
            self.lines.append(json.dumps({"step": step, "loss": round(loss.item(), 6)}))


class Confusion:
    def __init__(self, k):
        self.matrix = torch.zeros(k, k, dtype=torch.long)

    def update(self, logits, y):
        for a, b in zip(y.tolist(), logits.argmax(1).tolist()):
            self.matrix[a, b] += 1


def main():
    torch.manual_seed(0)
    stream, log = batches(*classes(), size=32), Logger()
    meters, confusion = MetricLogger(), Confusion(4)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
    total_loss, running_logits = 0.0, torch.zeros(4)
    for step in range(ITERATIONS):
        x, y = next(stream)
        logits = model(x)
        loss = nn.functional.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
        running_logits = 0.99 * running_logits + 0.01 * logits.mean(0).detach()
        confusion.update(logits, y)
        accuracy = (logits.argmax(1) == y).float().mean()
        meters.update(loss=loss.item(), accuracy=accuracy.item())
        log.log(step, loss, accuracy=accuracy.item(), lr=0.03)
    print(log.lines[-1], meters)
    print(
        f"mean {total_loss / ITERATIONS:.6f}, logged {log.last_logged.item():.6f}, "
        f"right {int(confusion.matrix.diag().sum())}, logits {running_logits.norm():.6f}"
    )


if __name__ == "__main__":
    main()
