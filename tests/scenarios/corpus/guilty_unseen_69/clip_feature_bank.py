# gradwatch-corpus: kind=graph-held
# holder: self.rows | self.rows[key] | bank.rows | self.bank.rows | objective.bank.rows | row | feats | anchor
# first-bad: 1
# notice: 8
"""Contrastive embedding of audio clips with extra negatives taken from clips met earlier."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class ClipCorpus(torch.utils.data.Dataset):
    """Clips are mixtures of a few sines; a sample is an id with two noisy crops."""

    def __init__(self, count=800, samples=96):
        self.count, self.samples = count, samples
        gen = torch.Generator().manual_seed(5)
        self.freq = 1 + 9 * torch.rand(count, 3, generator=gen)
        self.amp = torch.rand(count, 3, generator=gen)

    def __len__(self):
        return self.count

    def _crop(self, i):
        t = torch.linspace(0, 1, self.samples) + random.random()
        tone = torch.sin(2 * math.pi * self.freq[i, :, None] * t)
        return (self.amp[i, :, None] * tone).sum(0) + 0.1 * torch.randn(self.samples)

    def __getitem__(self, i):
        return i, self._crop(i), self._crop(i)


class ClipEncoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.front = nn.Conv1d(1, 12, kernel_size=9, stride=3)
        self.mid = nn.Conv1d(12, 16, kernel_size=5, stride=2)
        self.out = nn.Linear(16, dim)

    def forward(self, wave):
        h = F.relu(self.front(wave.unsqueeze(1)))
        h = F.relu(self.mid(h)).mean(-1)
        return F.normalize(self.out(h), dim=-1)


class FeatureBank:
    """Newest embedding of each clip, by clip id."""

    def __init__(self):
        self.rows = {}

    def __len__(self):
        return len(self.rows)

    def remember(self, ids, feats):
        for key, row in zip(ids.tolist(), feats):
            self.rows[key] = row  # <- culprit

    def negatives(self, exclude, how_many):
        banned = set(exclude.tolist())
        keys = [k for k in self.rows if k not in banned]
        if not keys:
            return None
        picked = random.sample(keys, min(how_many, len(keys)))
        return torch.stack([self.rows[k].detach() for k in picked])


class BankedInfoNCE:
    def __init__(self, bank, temperature=0.2, extra=24):
        self.bank = bank
        self.temperature = temperature
        self.extra = extra

    def __call__(self, ids, anchor, positive):
        keys = positive
        extra = self.bank.negatives(ids, self.extra)
        if extra is not None:
            keys = torch.cat([positive, extra])
        logits = anchor @ keys.t() / self.temperature
        target = torch.arange(anchor.shape[0])
        value = F.cross_entropy(logits, target)
        self.bank.remember(ids, anchor)  # <- culprit
        return value


def run_epoch(encoder, loader, objective, opt):
    track = {"steps": 0, "sum": 0.0}
    for ids, left, right in loader:
        loss = objective(ids, encoder(left), encoder(right))
        opt.zero_grad()
        loss.backward()
        opt.step()
        track["steps"] += 1
        track["sum"] += loss.item()
        if track["steps"] % 25 == 0:
            print(f"  {track['steps']:3d}: {track['sum'] / track['steps']:.4f} (bank of {len(objective.bank)})")
    return track["sum"] / track["steps"]


def main():
    random.seed(2)
    torch.manual_seed(2)
    corpus = ClipCorpus()
    loader = torch.utils.data.DataLoader(corpus, batch_size=8, shuffle=True)
    encoder = ClipEncoder()
    opt = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.9)
    objective = BankedInfoNCE(FeatureBank())
    print("epoch mean", round(run_epoch(encoder, loader, objective, opt), 4))


if __name__ == "__main__":
    main()
