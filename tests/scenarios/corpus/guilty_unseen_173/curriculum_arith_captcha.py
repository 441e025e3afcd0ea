# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | sampler.difficulty
# first-bad: 1
"""Digit-pair captcha reader with a curriculum: samples found hard recently are drawn more often."""
import heapq
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

GLYPHS = 10
N_SAMPLES = 40000


class CaptchaBank:
    """Images are rendered on request from the sample's index; nothing is stored."""

    def __init__(self, seed):
        gen = torch.Generator().manual_seed(seed)
        self.glyphs = (torch.rand(GLYPHS, 8, 8, generator=gen) > 0.55).float()
        self.seed = seed

    def __len__(self):
        return N_SAMPLES

    def render(self, index):
        rng = random.Random(index * 7919 + self.seed)
        a, b = rng.randrange(GLYPHS), rng.randrange(GLYPHS)
        noise = 0.1 + 0.6 * rng.random()
        gen = torch.Generator().manual_seed(index)
        img = torch.zeros(10, 20)
        dy, dx = rng.randrange(3), rng.randrange(3)
        img[dy:dy + 8, dx:dx + 8] = self.glyphs[a]
        img[dy:dy + 8, 9 + dx:17 + dx] = self.glyphs[b]
        return img + noise * torch.randn(10, 20, generator=gen), a, b


class CurriculumSampler:
    def __init__(self, bank, batch, hard_share=0.25, seed=0):
        self.bank, self.batch = bank, batch
        self.n_hard = int(hard_share * batch)
        self.rng = random.Random(seed)
        self.difficulty = {}

    def next_indices(self):
        hard = []
        if len(self.difficulty) > 4 * self.batch:
            pool = self.rng.sample(list(self.difficulty), 4 * self.batch)
            hard = heapq.nlargest(self.n_hard, pool, key=self.difficulty.__getitem__)
        fresh = [self.rng.randrange(len(self.bank)) for _ in range(self.batch - len(hard))]
        return hard + fresh

    def feedback(self, indices, per_sample):
        for i, value in zip(indices, per_sample):
            self.difficulty[i] = value  # <- culprit


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
                                  nn.Conv2d(12, 16, 3, padding=1), nn.ReLU())
        self.left, self.right = nn.Linear(16 * 50, GLYPHS), nn.Linear(16 * 50, GLYPHS)

    def forward(self, img):
        h = self.conv(img.unsqueeze(1)).flatten(1)
        return self.left(h), self.right(h)


def collate(bank, indices):
    imgs, a, b = zip(*(bank.render(i) for i in indices))
    return torch.stack(imgs), torch.tensor(a), torch.tensor(b)


def main(steps=500, batch=24):
    torch.manual_seed(6)
    bank = CaptchaBank(seed=6)
    sampler = CurriculumSampler(bank, batch)
    net = Reader()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    hits = seen = 0
    for step in range(steps):
        indices = sampler.next_indices()
        img, a, b = collate(bank, indices)
        la, lb = net(img)
        per_sample = F.cross_entropy(la, a, reduction="none") + F.cross_entropy(lb, b, reduction="none")
        opt.zero_grad()
        per_sample.mean().backward()
        opt.step()
        sampler.feedback(indices, per_sample)
        hits += ((la.argmax(1) == a) & (lb.argmax(1) == b)).sum().item()
        seen += len(indices)
        if step % 50 == 49:
            print(f"step {step + 1:4d} both digits right {hits / seen:.3f} known samples {len(sampler.difficulty)}")
            hits = seen = 0


if __name__ == "__main__":
    main()
