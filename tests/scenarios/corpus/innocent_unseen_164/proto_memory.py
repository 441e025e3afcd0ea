# gradwatch-corpus: kind=none
"""Per-class prototypes: live mean of the batch mixed with a stored centre, and a small support queue."""
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(53)


class ClassSlot:
    registry = {}

    def __init__(self, label, dim, queue=6):
        self.label = label
        self.centre = F.normalize(torch.randn(dim), dim=0)
        self.live = None
        self.support = deque(maxlen=queue)
        ClassSlot.registry[label] = self

    def mix(self, feats, rate=0.3):
        if len(feats):
            self.live = F.normalize((1 - rate) * self.centre + rate * feats.mean(0), dim=0)
            self.support.append(feats[0].detach())
        else:
            self.live = self.centre
        return self.live

    def commit(self):
        self.centre = self.live.detach()

    def bank(self):
        return torch.stack([self.centre, *self.support])


def logits(feats, labels, temperature=0.2):
    live = torch.stack([slot.mix(feats[labels == c]) for c, slot in ClassSlot.registry.items()])
    return feats @ live.T / temperature


def pull(feats, labels):
    parts = []
    for c, slot in ClassSlot.registry.items():
        mine = feats[labels == c]
        if len(mine):
            parts.append(1 - (mine @ slot.bank().T).mean())
    return torch.stack(parts).mean()


class Encoder(nn.Module):
    def __init__(self, size=6, dim=8):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(size, 24), nn.ReLU(), nn.Linear(24, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


def main(steps=120, classes=5):
    encoder = Encoder()
    for c in range(classes):
        ClassSlot(c, 8)
    opt = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.9)
    means = 1.3 * torch.randn(classes, 6)
    best = None
    for step in range(steps):
        y = torch.randint(0, classes, (30,))
        feats = encoder(means[y] + 0.7 * torch.randn(30, 6))
        out = logits(feats, y)
        loss = F.cross_entropy(out, y) + 0.3 * pull(feats, y)
        if best is None or loss < best:
            best = loss.detach()
        opt.zero_grad()
        loss.backward()
        opt.step()
        for slot in ClassSlot.registry.values():
            slot.commit()
        if step % 30 == 29:
            acc = (out.argmax(1) == y).float().mean().item()
            print(step, round(loss.item(), 3), round(best.item(), 3), round(acc, 2))


main()
