# gradwatch-corpus: kind=graph-held
# holder: self.dice.scores | self.dice.scores[label] | trainer.dice.scores | dice.scores
# first-bad: 1
"""Lesion segmentation on 2D ultrasound slices with a small U-shaped net; Dice per lesion class
is tracked over the whole run for the report."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

CLASSES = ("cyst", "nodule")


class UltrasoundSlices(Dataset):
    def __init__(self, n, size=24, seed=0):
        g = torch.Generator().manual_seed(seed)
        yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
        self.x = 0.4 * torch.rand(n, 1, size, size, generator=g)
        self.m = torch.zeros(n, len(CLASSES), size, size)
        for i in range(n):
            for c in range(len(CLASSES)):
                cy, cx = torch.randint(5, size - 5, (2,), generator=g).tolist()
                r = float(torch.rand((), generator=g)) * 3 + 2
                blob = ((yy - cy) ** 2 + (xx - cx) ** 2) < r * r
                self.m[i, c][blob] = 1
                self.x[i, 0][blob] += (-0.3 if c == 0 else 0.5)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        return self.x[i], self.m[i]


class TinyUNet(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.down1 = nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.ReLU())
        self.down2 = nn.Sequential(nn.MaxPool2d(2), nn.Conv2d(c, 2 * c, 3, padding=1), nn.ReLU())
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.out = nn.Conv2d(2 * c, len(CLASSES), 1)

    def forward(self, x):
        a = self.down1(x)
        b = self.up(self.down2(a))
        return self.out(torch.cat([a, b], dim=1))


class DiceTracker:
    def __init__(self, labels):
        self.scores = {label: [] for label in labels}

    def update(self, probs, masks):
        inter = (probs * masks).sum(dim=(0, 2, 3))
        total = probs.sum(dim=(0, 2, 3)) + masks.sum(dim=(0, 2, 3))
        dice = (2 * inter + 1) / (total + 1)
        for k, label in enumerate(self.scores):
            self.scores[label].append(dice[k])  # <- culprit
        return dice

    def recent(self, label, n=16):
        tail = self.scores[label][-n:]
        return sum(float(s) for s in tail) / max(len(tail), 1)


@dataclass
class Config:
    epochs: int = 26
    batch: int = 16
    lr: float = 3e-3


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.loader = DataLoader(UltrasoundSlices(256), batch_size=cfg.batch, shuffle=True)
        self.net = TinyUNet()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.dice = DiceTracker(CLASSES)

    def train_step(self, x, m):
        logits = self.net(x)
        dice = self.dice.update(logits.sigmoid(), m)
        loss = F.binary_cross_entropy_with_logits(logits, m) + (1 - dice).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def run(self):
        for epoch in range(self.cfg.epochs):
            self.net.train()
            losses = [self.train_step(x, m) for x, m in self.loader]
            if epoch % 5 == 0:
                per = "  ".join(f"{c} {self.dice.recent(c):.3f}" for c in CLASSES)
                print(f"epoch {epoch:2d}  loss {sum(losses) / len(losses):.4f}  {per}")


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer(Config())
    trainer.run()
    for name in CLASSES:
        print(f"final dice, {name}: {trainer.dice.recent(name):.3f}")
