# gradwatch-corpus: kind=second-backward
# holder: self.embeddings | catalogue.embeddings
# first-bad: 1
# notice: 0
"""Tag museum objects from thumbnails; objects of one find share information along edges."""
from functools import cached_property

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(21)

ENCODERS = {}


def encoder(name):
    def keep(cls):
        ENCODERS[name] = cls
        return cls
    return keep


@encoder("thumb")
class Thumb(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(3), nn.Flatten(), nn.Linear(54, dim))

    def forward(self, img):
        return self.net(img)


@encoder("flat")
class Flat(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Flatten(), nn.Linear(100, dim), nn.Tanh())

    def forward(self, img):
        return self.net(img)


class Catalogue:
    def __init__(self, images, finds, encoder):
        self.images, self.encoder = images, encoder
        same = (finds[:, None] == finds[None]).float()
        self.mix = same / same.sum(1, keepdim=True)

    @cached_property  # <- culprit
    def embeddings(self):
        return self.encoder(self.images)  # <- culprit

    def neighbourhood(self, rows):
        return self.mix[rows] @ self.embeddings  # <- culprit


def main(kind="thumb", steps=80):
    images, finds = torch.rand(90, 1, 10, 10), torch.randint(0, 15, (90,))
    tags = (images.mean((1, 2, 3)) * 40).long() % 6
    catalogue = Catalogue(images, finds, ENCODERS[kind]())
    head = nn.Linear(16, 6)
    opt = torch.optim.Adam([*catalogue.encoder.parameters(), *head.parameters()], lr=4e-3)
    for step in range(steps):
        rows = torch.randperm(90)[:24]
        loss = F.cross_entropy(head(catalogue.neighbourhood(rows)), tags[rows])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step}: {loss.item():.3f}")


main()
