# gradwatch-corpus: kind=none
"""Small-image classifier with class-balanced loss weights, micro-batches and a ring of recent embeddings."""
from collections import deque
import torch
from torch import nn
import torch.nn.functional as F
torch.set_num_threads(1)


class Ring:
    def __init__(self, size):
        self.slots, self.size, self.at = [None] * size, size, 0

    def write(self, item):
        self.slots[self.at % self.size] = item
        self.at += 1

    def variance(self):
        live = [s for s in self.slots if s is not None]
        return torch.cat(live).var(0).mean().item()


class Weigher:
    """Effective number of samples, plus how badly each class went in the current big batch."""

    def __init__(self, classes):
        self.count = torch.ones(classes)
        self.per_class = {}

    def weights(self, y):
        self.count += torch.bincount(y, minlength=len(self.count))
        w = 1 / (1 - 0.99 ** self.count)
        return w / w.mean()

    def note(self, y, losses):
        for c in y.unique().tolist():
            self.per_class.setdefault(c, []).append(losses[y == c].mean())

    def close(self):
        table = {c: torch.stack(v).mean().item() for c, v in self.per_class.items()}
        self.per_class = {}
        return table


class Net(nn.Module):
    def __init__(self, classes=5):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 8, 3), nn.ReLU())
        self.fc = nn.Linear(8, classes)

    def forward(self, x):
        emb = self.features(x).mean((2, 3))
        return self.fc(emb), emb


def catch(n):
    y = torch.multinomial(torch.tensor([0.5, 0.2, 0.15, 0.1, 0.05]), n, replacement=True)
    g = torch.linspace(-1, 1, 12)
    r = (g[:, None] ** 2 + g[None] ** 2).sqrt()
    return torch.sin(r[None] * (2 + 2 * y[:, None, None]))[:, None] + 0.2 * torch.randn(n, 1, 12, 12), y


torch.manual_seed(15)
net, weigher, ring = Net(), Weigher(5), Ring(8)
opt = torch.optim.Adam(net.parameters(), 4e-3)
for it in range(420):
    opt.zero_grad()
    for _ in range(4):
        x, y = catch(6)
        logits, emb = net(x)
        each = F.cross_entropy(logits, y, reduction="none")
        weigher.note(y, each)
        (each * weigher.weights(y)[y]).mean().div(4).backward()
        ring.write(emb)
    opt.step()
    table = weigher.close()
    if it % 70 == 0:
        print(it, {c: round(v, 2) for c, v in sorted(table.items())}, round(ring.variance(), 4))
