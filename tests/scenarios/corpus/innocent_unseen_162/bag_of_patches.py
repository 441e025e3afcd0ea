# gradwatch-corpus: kind=none
"""Multiple-instance learning. Patches of a slide come in one at a time; the slide has one label; one update a slide."""
import random

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(6)
rng = random.Random(6)


class PatchScorer(nn.Module):
    def __init__(self, dim=12):
        super().__init__()
        self.feat = nn.Sequential(nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, 16), nn.ReLU())
        self.att = nn.Linear(16, 1)
        self.out = nn.Linear(16, 1)

    def forward(self, patch):
        f = self.feat(patch)
        return self.att(f), f


class SlideAccumulator:
    """Collects what the patches of the open slide gave. `close` empties it."""

    def __init__(self, model):
        self.model = model
        self.scores, self.feats, self.aux = [], [], []

    def push(self, patch):
        a, f = self.model(patch)
        self.scores.append(a)
        self.feats.append(f)
        self.aux.append(f.abs().mean())

    def close(self, label):
        w = torch.cat(self.scores).softmax(0)
        pooled = (w[:, None] * torch.stack(self.feats)).sum(0)
        loss = F.binary_cross_entropy_with_logits(self.model.out(pooled).squeeze(), label)
        loss = loss + 1e-3 * sum(self.aux) / len(self.aux)
        self.scores, self.feats, self.aux = [], [], []
        return loss


def patches():
    """Endless stream of (patch, last, label)."""
    slide = 0
    while True:
        label = torch.tensor(float(rng.random() < 0.5))
        n = rng.randint(5, 12 + min(slide, 40))
        for i in range(n):
            p = torch.randn(12)
            if label and i % 3 == 0:
                p[:3] += 2.0
            yield p, i == n - 1, label
        slide += 1


def main(slides=90):
    model = PatchScorer()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    slide = SlideAccumulator(model)
    epoch_losses, done = [], 0
    bag, quota = [], 1
    for patch, last, label in patches():
        slide.push(patch)
        if not last:
            continue
        bag.append(slide.close(label))
        done += 1
        if len(bag) >= quota:
            loss = sum(bag) / len(bag)
            loss.backward()
            opt.step()
            opt.zero_grad()
            epoch_losses.append(loss.item())
            bag, quota = [], rng.choice([1, 1, 2, 3])
        if done % 20 == 0:
            print(f"slides {done} updates {len(epoch_losses)} loss {sum(epoch_losses[-15:]) / 15:.3f}")
        if len(epoch_losses) == slides:
            break


main()
