# gradwatch-corpus: kind=none
"""Momentum contrast on texture patches (oriented gratings), with an auxiliary term on
inner feature maps; a linear probe on the orientation shows whether it learns anything."""
import math
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

from moco import MoCo

SIZE, CLASSES = 12, 6


class Gratings:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        ax = torch.linspace(-1, 1, SIZE)
        self.yy, self.xx = torch.meshgrid(ax, ax, indexing="ij")

    def render(self, label):
        n = len(label)
        angle = (math.pi * label / CLASSES).view(n, 1, 1)
        phase = 6.28 * torch.rand(n, 1, 1, generator=self.gen)
        freq = 5 + torch.rand(n, 1, 1, generator=self.gen)
        img = torch.sin(freq * (self.xx * angle.cos() + self.yy * angle.sin()) + phase)
        return (img + 0.3 * torch.randn(img.shape, generator=self.gen)).unsqueeze(1)

    def labels(self, n):
        return torch.randint(CLASSES, (n,), generator=self.gen)

    def pairs(self, n):
        label = self.labels(n)
        return self.render(label), self.render(label)


class Pretraining:
    def __init__(self, model, data, batch=32, lr=0.03):
        self.model, self.data, self.batch = model, data, batch
        self.opt = torch.optim.SGD(model.encoder_q.parameters(), lr=lr, momentum=0.9, weight_decay=1e-4)
        self.losses = deque(maxlen=50)
        self.hits = deque(maxlen=50)

    def step(self):
        loss, logits = self.model(*self.data.pairs(self.batch))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.append(loss.detach())
        self.hits.append((logits.detach().argmax(1) == 0).float().mean())

    def run(self, steps):
        self.model.train()
        for i in range(1, steps + 1):
            self.step()
            if i % 100 == 0:
                print(f"step {i}: loss {torch.stack(tuple(self.losses)).mean():.3f} "
                      f"instance accuracy {torch.stack(tuple(self.hits)).mean():.3f}")


def features(encoder, data, n):
    label = data.labels(n)
    with torch.no_grad():
        return encoder(data.render(label)), label


def linear_probe(encoder, data, steps=100):
    encoder.eval()
    (x, y), (xt, yt) = features(encoder, data, 400), features(encoder, data, 200)
    probe = nn.Linear(x.shape[1], CLASSES)
    opt = torch.optim.Adam(probe.parameters(), lr=0.05)
    for _ in range(steps):
        opt.zero_grad()
        F.cross_entropy(probe(x), y).backward()
        opt.step()
    with torch.no_grad():
        return (probe(xt).argmax(1) == yt).float().mean().item()


def main():
    torch.manual_seed(4)
    model, data = MoCo(), Gratings(5)
    Pretraining(model, data).run(400)
    model.taps.close()
    print(f"linear probe: {linear_probe(model.encoder_q, data):.3f}")


if __name__ == "__main__":
    main()
