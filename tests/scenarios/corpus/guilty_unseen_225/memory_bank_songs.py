# gradwatch-corpus: kind=inplace-modified
# holder: self.bank | memory.bank
# first-bad: 20
"""Instance discrimination on bird song snippets with a memory bank of embeddings."""
import math
from collections import Counter

import torch
import torch.nn as nn
import torch.nn.functional as F


class MemoryBank(nn.Module):
    def __init__(self, n_items, dim, temperature=0.1, momentum=0.5, start_at=0):
        super().__init__()
        bank = F.normalize(torch.randn(n_items, dim), dim=1)
        self.register_buffer("bank", bank)
        self.temperature = temperature
        self.momentum = momentum
        self.start_at = start_at
        self.calls = 0

    def refresh(self, z, index):
        fresh = self.momentum * self.bank[index] + (1 - self.momentum) * z
        self.bank[index] = F.normalize(fresh, dim=1)  # <- culprit

    def forward(self, z, index):
        scores = z @ self.bank.t() / self.temperature  # <- culprit
        if self.calls >= self.start_at:
            self.refresh(z.detach(), index)  # <- culprit
        self.calls += 1
        return scores


class SongEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.stem = nn.Conv1d(1, 16, 9, stride=4)
        self.mid = nn.Conv1d(16, 32, 5, stride=2)
        self.gru = nn.GRU(32, 32, batch_first=True)
        self.fc = nn.Linear(32, dim)

    def forward(self, wave):
        h = F.leaky_relu(self.stem(wave))
        h = F.leaky_relu(self.mid(h))
        _, last = self.gru(h.transpose(1, 2))
        return F.normalize(self.fc(last[-1]), dim=1)


def chirps(n, length):
    t = torch.linspace(0, 1, length)
    start = 5 + 20 * torch.rand(n, 1)
    sweep = 30 * torch.rand(n, 1)
    return torch.sin(2 * math.pi * (start * t + 0.5 * sweep * t * t))


def augment(wave):
    gain = 0.7 + 0.6 * torch.rand(len(wave), 1)
    shift = int(torch.randint(0, 16, (1,)))
    return torch.roll(gain * wave, shift, dims=-1) + 0.05 * torch.randn_like(wave)


def loader(songs, batch_size):
    while True:
        perm = torch.randperm(len(songs))
        for index in perm.split(batch_size):
            yield index, augment(songs[index]).unsqueeze(1)


def main():
    torch.manual_seed(19)
    songs = chirps(320, 256)
    encoder = SongEncoder(24)
    memory = MemoryBank(len(songs), 24, start_at=20)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1, momentum=0.9)
    counts = Counter()
    batches = loader(songs, 32)
    for it in range(120):
        index, wave = next(batches)
        z = encoder(wave)
        loss = F.cross_entropy(memory(z, index), index)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        counts.update(index.tolist())
        if it % 10 == 0:
            print(f"iter {it} nce {loss.item():.4f} seen {len(counts)}")


if __name__ == "__main__":
    main()
