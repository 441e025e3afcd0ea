# gradwatch-corpus: kind=second-backward
# holder: self.examples | buffer.examples | buf_z | z | self.buffer.examples
# first-bad: 1
"""Dark Experience Replay (Buzzega et al. 2020) for class-incremental Gaussians, reproduced for the reading group:
the buffer remembers what the network once said about an example, and the network is asked to go on saying so."""
import random
from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F

random.seed(21)
torch.manual_seed(21)


@dataclass
class Hyper:
    dim: int = 12
    classes: int = 8
    per_task: int = 2
    steps_per_task: int = 80
    batch: int = 16
    replay: int = 16
    alpha: float = 0.5
    capacity: int = 120
    lr: float = 0.03


@dataclass
class ReservoirBuffer:
    capacity: int
    seen: int = 0
    examples: list = field(default_factory=list)

    def __len__(self):
        return len(self.examples)

    def offer(self, xs, zs):
        for x, z in zip(xs, zs):
            self.seen += 1
            if len(self.examples) < self.capacity:
                self.examples.append((x, z))  # <- culprit
            else:
                j = random.randrange(self.seen)
                if j < self.capacity:
                    self.examples[j] = (x, z)

    def draw(self, n):
        pick = random.sample(self.examples, min(n, len(self.examples)))
        xs, zs = zip(*pick)
        return torch.stack(xs), torch.stack(zs)


def task_stream(hp, centres):
    for t in range(hp.classes // hp.per_task):
        labels = torch.arange(t * hp.per_task, (t + 1) * hp.per_task)
        for _ in range(hp.steps_per_task):
            y = labels[torch.randint(0, hp.per_task, (hp.batch,))]
            yield t, centres[y] + 0.7 * torch.randn(hp.batch, hp.dim), y


def evaluate(net, hp, centres):
    with torch.no_grad():
        y = torch.arange(hp.classes).repeat(40)
        x = centres[y] + 0.7 * torch.randn(len(y), hp.dim)
        right = (net(x).argmax(1) == y).view(40, hp.classes)
        return right.float().mean(0).tolist()


def observe(net, opt, buffer, hp, x, y):
    logits = net(x)
    loss = F.cross_entropy(logits, y)
    if len(buffer):
        buf_x, buf_z = buffer.draw(hp.replay)
        loss = loss + hp.alpha * F.mse_loss(net(buf_x), buf_z)  # <- culprit
    opt.zero_grad()
    loss.backward()
    opt.step()
    buffer.offer(x, logits)  # <- culprit
    return loss.item()


def main():
    hp = Hyper()
    centres = torch.randn(hp.classes, hp.dim) * 1.5
    net = nn.Sequential(nn.Linear(hp.dim, 64), nn.ReLU(), nn.Linear(64, hp.classes))
    opt = torch.optim.SGD(net.parameters(), lr=hp.lr)
    buffer = ReservoirBuffer(hp.capacity)
    running, current = 0.0, 0
    for k, (t, x, y) in enumerate(task_stream(hp, centres)):
        loss = observe(net, opt, buffer, hp, x, y)
        running = loss if k == 0 else 0.95 * running + 0.05 * loss
        if t != current:
            print(f"task {current} done, loss {running:.3f}, buffer {len(buffer)}")
            current = t
    accs = evaluate(net, hp, centres)
    print("accuracy by class:", " ".join(f"{a:.2f}" for a in accs))


if __name__ == "__main__":
    main()
