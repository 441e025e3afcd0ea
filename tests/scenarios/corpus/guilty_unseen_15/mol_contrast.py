# gradwatch-corpus: kind=inplace-modified
# holder: self.keys | queue.keys | self.queue.keys | trainer.queue.keys
# first-bad: 8
"""Momentum-contrast pretraining on random molecular fingerprints: two maskings of the
same molecule should land together, a queue of earlier keys gives the negatives."""
import copy

import torch
from torch import nn
import torch.nn.functional as F

BITS, DIM = 128, 24


def fingerprints(n, gen, families=12):
    """Bits come in correlated groups, as substructures do."""
    groups = BITS // families
    present = torch.rand(n, families, generator=gen) < 0.35
    bits = present.repeat_interleave(groups, dim=1)
    bits = F.pad(bits, (0, BITS - bits.shape[1]))
    flip = torch.rand(n, BITS, generator=gen) < 0.03
    return (bits ^ flip).float()


def mask(x, gen, rate=0.2):
    return x * (torch.rand(x.shape, generator=gen) > rate)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(BITS, 64), nn.LayerNorm(64), nn.GELU(), nn.Linear(64, DIM))

    def forward(self, x):
        return F.normalize(self.body(x), dim=-1)


class KeyQueue(nn.Module):
    """Ring of the latest keys. Not offered as negatives until it has been filled once."""

    def __init__(self, size):
        super().__init__()
        self.size = size
        self.register_buffer("keys", torch.zeros(size, DIM))
        self.cursor = 0
        self.full = False

    @torch.no_grad()
    def push(self, batch):
        end = self.cursor + len(batch)
        self.keys[self.cursor:end] = batch  # <- culprit
        self.full = self.full or end == self.size
        self.cursor = end % self.size

    def negatives(self):
        return self.keys if self.full else None


class InfoNCE(nn.Module):
    def __init__(self, queue, temperature=0.15):
        super().__init__()
        self.queue = queue
        self.temperature = temperature

    def forward(self, query, key):
        logits = query @ key.t()
        bank = self.queue.negatives()
        if bank is not None:
            logits = torch.cat((logits, query @ bank.t()), dim=1)
        self.queue.push(key)  # <- culprit
        return F.cross_entropy(logits / self.temperature, torch.arange(len(query)))


class Pretrainer:
    def __init__(self, seed=0, batch=32, queue=256):
        self.gen = torch.Generator().manual_seed(seed)
        self.batch = batch
        self.online = Encoder()
        self.momentum = copy.deepcopy(self.online).requires_grad_(False)
        self.queue = KeyQueue(queue)
        self.loss_fn = InfoNCE(self.queue)
        self.opt = torch.optim.SGD(self.online.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)

    @torch.no_grad()
    def follow(self, m=0.98):
        for slow, fast in zip(self.momentum.parameters(), self.online.parameters()):
            slow.mul_(m).add_(fast, alpha=1 - m)

    def step(self):
        mols = fingerprints(self.batch, self.gen)
        query = self.online(mask(mols, self.gen))
        with torch.no_grad():
            key = self.momentum(mask(mols, self.gen))
        loss = self.loss_fn(query, key)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.follow()
        return loss.item()


def main(steps=400):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    trainer = Pretrainer()
    for i in range(steps):
        loss = trainer.step()
        if i % 4 == 0:
            print(f"{i:4d} {loss:.4f}")


if __name__ == "__main__":
    main()
