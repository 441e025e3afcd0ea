# gradwatch-corpus: kind=graph-held
# holder: self.scores[name] | self.scores | self.tracker.scores | self.tracker.scores[name] | experiment.tracker.scores | tracker.scores
# first-bad: 1
"""Abdominal CT, three organs on phantom slices: small U-Net with soft Dice plus cross entropy.

The experiment classes follow our lab's template (Experiment > Segmentation > the concrete study).
"""
from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn


class OrganTracker:
    def __init__(self, window=25):
        self.window = window
        self.scores = defaultdict(list)

    def note(self, name, score):
        self.scores[name].append(score)  # <- culprit

    def summary(self):
        out = {}
        for name, values in self.scores.items():
            recent = values[-self.window:]
            out[name] = sum(v.item() for v in recent) / len(recent)
        return out


class Experiment:
    """Owns the loop; subclasses say what a batch is and what it costs."""

    iterations = 220
    report_every = 55

    def __init__(self, seed=0):
        torch.manual_seed(seed)
        self.rng = torch.Generator().manual_seed(seed + 1)
        self.net = self.build()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=self.lr)

    lr = 1e-3

    def build(self):
        raise NotImplementedError

    def draw(self):
        raise NotImplementedError

    def objective(self, batch):
        raise NotImplementedError

    def report(self, i, value):
        print(f"[{i + 1:4d}] objective {value:.4f}")

    def run(self):
        for i in range(self.iterations):
            self.opt.zero_grad()
            value = self.objective(self.draw())
            value.backward()
            self.opt.step()
            if (i + 1) % self.report_every == 0:
                self.report(i, value.item())


class Segmentation(Experiment):
    classes = ("background",)

    def __init__(self, seed=0):
        self.tracker = OrganTracker()
        super().__init__(seed)

    def soft_dice(self, prob, mask, eps=1.0):
        overlap = (prob * mask).sum((1, 2))
        return ((2 * overlap + eps) / (prob.sum((1, 2)) + mask.sum((1, 2)) + eps)).mean()

    def objective(self, batch):
        image, labels = batch
        logits = self.net(image)
        prob = logits.softmax(1)
        dice = []
        for k, name in enumerate(self.classes):
            if name == "background":
                continue
            score = self.soft_dice(prob[:, k], (labels == k).float())
            self.tracker.note(name, score)  # <- culprit
            dice.append(score)
        return F.cross_entropy(logits, labels) + 1 - torch.stack(dice).mean()

    def report(self, i, value):
        super().report(i, value)
        print("       " + ", ".join(f"{k} {v:.3f}" for k, v in self.tracker.summary().items()))


class Block(nn.Sequential):
    def __init__(self, a, b):
        super().__init__(nn.Conv2d(a, b, 3, padding=1), nn.GroupNorm(4, b), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self, n_classes, width=8):
        super().__init__()
        self.top = Block(1, width)
        self.low = Block(width, 2 * width)
        self.up = nn.ConvTranspose2d(2 * width, width, 2, stride=2)
        self.out = nn.Sequential(Block(2 * width, width), nn.Conv2d(width, n_classes, 1))

    def forward(self, x):
        a = self.top(x)
        b = self.low(F.max_pool2d(a, 2))
        return self.out(torch.cat([a, self.up(b)], 1))


class AbdomenStudy(Segmentation):
    classes = ("background", "liver", "spleen", "kidney")
    size = 32

    def build(self):
        return TinyUNet(len(self.classes))

    def draw(self, batch=2):
        axis = torch.linspace(-1, 1, self.size)
        yy, xx = torch.meshgrid(axis, axis, indexing="ij")
        labels = torch.zeros(batch, self.size, self.size, dtype=torch.long)
        for b in range(batch):
            for k in range(1, len(self.classes)):
                cx, cy, r = torch.rand(3, generator=self.rng).tolist()
                inside = (xx - cx + 0.5) ** 2 + (yy - cy + 0.5) ** 2 < (0.2 + 0.2 * r) ** 2
                labels[b][inside] = k
        noise = 0.15 * torch.randn(batch, 1, self.size, self.size, generator=self.rng)
        return labels.unsqueeze(1).float() / 3 + noise, labels


if __name__ == "__main__":
    experiment = AbdomenStudy(seed=3)
    experiment.run()
    print("done:", {k: round(v, 3) for k, v in experiment.tracker.summary().items()})
