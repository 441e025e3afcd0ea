# gradwatch-corpus: kind=none
"""Ordinal grading of synthetic fundus patches; the easiest batches are kept for inspection."""
import heapq
import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F

GRADES = 4


class Grader(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, stride=2, padding=1), nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, padding=1), nn.ReLU(),
            nn.AdaptiveAvgPool2d(2), nn.Flatten(),
        )
        self.score = nn.Linear(64, 1)
        self.cuts = nn.Parameter(torch.linspace(-1, 1, GRADES - 1))

    def forward(self, x):
        return self.score(self.conv(x)) - self.cuts


def patches(gen, n=16, size=20):
    grade = torch.randint(0, GRADES, (n,), generator=gen)
    img = 0.3 * torch.randn(n, 1, size, size, generator=gen)
    for i, g in enumerate(grade.tolist()):
        for _ in range(2 * g):
            y, x = torch.randint(1, size - 2, (2,), generator=gen).tolist()
            img[i, 0, y:y + 2, x:x + 2] += 2.0
    return img, grade


def ordinal_loss(logits, grade):
    above = (grade[:, None] > torch.arange(GRADES - 1)).float()
    return F.binary_cross_entropy_with_logits(logits, above)


class Showcase:
    def __init__(self, keep):
        self.keep = keep
        self.easiest = []
        self._tick = itertools.count()

    def offer(self, loss, logits, grade):
        entry = (loss.item(), next(self._tick), logits, grade)
        self.easiest = heapq.nsmallest(self.keep, [*self.easiest, entry])

    def accuracy(self):
        hits = [((lg > 0).sum(-1) == g).float().mean().item() for _, _, lg, g in self.easiest]
        return sum(hits) / len(hits)


def main():
    torch.manual_seed(30)
    gen = torch.Generator().manual_seed(31)
    net = Grader()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 150, 0.5)
    showcase = Showcase(keep=12)

    for step in range(430):
        img, grade = patches(gen)
        logits = net(img)
        loss = ordinal_loss(logits, grade)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        showcase.offer(loss, logits, grade)
        if step % 70 == 0:
            print(f"step {step} loss {loss.item():.3f} best-acc {showcase.accuracy():.2f}")


if __name__ == "__main__":
    main()
