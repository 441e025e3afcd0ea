# gradwatch-corpus: kind=none
# about: queue of detached keys grows for 255 iterations to 6144 rows and stays; key encoder under no_grad
"""MoCo in miniature: momentum encoder, queue of keys, two random views of synthetic textures."""
import copy

import torch
import torch.nn.functional as F
from torch import nn


class KeyRing:
    def __init__(self, capacity, dim):
        self.capacity, self.keys = capacity, torch.empty(0, dim)

    def push(self, fresh):
        self.keys = torch.cat([fresh, self.keys])[: self.capacity]

    def __len__(self):
        return len(self.keys)


def conv_encoder(dim=64):
    return nn.Sequential(
        nn.Conv2d(3, 12, 3, stride=2, padding=1), nn.BatchNorm2d(12), nn.ReLU(),
        nn.Conv2d(12, 24, 3, stride=2, padding=1), nn.BatchNorm2d(24), nn.ReLU(),
        nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(96, dim))


def textures(n, g):
    yy, xx = torch.meshgrid(torch.arange(20.), torch.arange(20.), indexing="ij")
    f = torch.rand(n, 3, 2, 1, 1, generator=g) * 1.5
    phase = torch.rand(n, 3, 1, 1, generator=g) * 6.3
    return torch.sin(f[:, :, 0] * xx + f[:, :, 1] * yy + phase)


def view(img, g):
    dx, dy = torch.randint(-3, 4, (2,), generator=g).tolist()
    img = torch.roll(img, (dx, dy), (2, 3))
    if torch.rand((), generator=g) < .5:
        img = img.flip(3)
    return img * (.7 + .6 * torch.rand(len(img), 1, 1, 1, generator=g)) + .1 * torch.randn(img.shape, generator=g)


def main(rounds=400, temp=.15):
    torch.manual_seed(2)
    g = torch.Generator().manual_seed(8)
    q_net = conv_encoder()
    k_net = copy.deepcopy(q_net)
    ring = KeyRing(6144, 64)
    opt = torch.optim.SGD(q_net.parameters(), lr=.06, momentum=.9, weight_decay=1e-4)
    for r in range(rounds):
        img = textures(24, g)
        q = F.normalize(q_net(view(img, g)), dim=1)
        with torch.no_grad():
            for a, b in zip(k_net.parameters(), q_net.parameters()):
                a.lerp_(b, .02)
            k = F.normalize(k_net(view(img, g)), dim=1)
        positive = (q * k).sum(1, keepdim=True)
        scores = torch.cat([positive, q @ torch.cat([ring.keys, k.roll(1, 0)]).T], 1) / temp
        nce = F.cross_entropy(scores, torch.zeros(len(q), dtype=torch.long))
        opt.zero_grad()
        nce.backward()
        opt.step()
        ring.push(k)
        if r % 50 == 0:
            print(f"{r:4d} nce {nce:.3f} acc {(scores.argmax(1) == 0).float().mean():.2f} keys {len(ring)}")


main()
