# gradwatch-corpus: kind=none
"""Contrastive embedding of dialect pronunciations with a queue of negatives.

Keys come from a slow copy of the encoder; the keys of the last blocks serve as
negatives. The stimulus table is rebuilt for evaluation in each epoch.
"""
import copy

import torch
import torch.nn.functional as F
from torch import nn

N_SITES = 40
PHONES = 18
LENGTH = 10


class Atlas:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.base = torch.randint(0, PHONES, (N_SITES, LENGTH), generator=self.g)

    def speaker(self, sites):
        word = self.base[sites]
        slip = torch.rand(word.shape, generator=self.g) < 0.15
        other = torch.randint(0, PHONES, word.shape, generator=self.g)
        return torch.where(slip, other, word)

    def pair(self, n):
        sites = torch.randperm(N_SITES, generator=self.g)[:n]
        return sites, self.speaker(sites), self.speaker(sites)


class PronunciationEncoder(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.phone = nn.Embedding(PHONES, dim)
        self.conv = nn.Conv1d(dim, 32, 3, padding=1)
        self.proj = nn.Linear(32, dim)

    def forward(self, word):
        x = self.phone(word).transpose(1, 2)
        h = F.gelu(self.conv(x)).mean(dim=2)
        return F.normalize(self.proj(h), dim=1)


class NegativeQueue:
    def __init__(self, size):
        self.size = size
        self.keys = None

    def __call__(self, sites, keys):
        new = (sites, keys)
        if self.keys is None:
            self.keys = new
        else:
            both = [torch.cat(z)[-self.size:] for z in zip(self.keys, new)]
            self.keys = tuple(both)


class ContrastiveFit:
    def __init__(self, atlas):
        self.atlas = atlas
        self.query = PronunciationEncoder()
        self.key = copy.deepcopy(self.query)
        self.queue = NegativeQueue(96)
        self.opt = torch.optim.SGD(self.query.parameters(), lr=0.2, momentum=0.9)
        self.table = {}
        self.history = {"loss": [], "recall": []}

    @torch.no_grad()
    def slow_keys(self, words):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.mul_(0.95).add_(q, alpha=0.05)
        return self.key(words)

    def step(self, n):
        sites, a, b = self.atlas.pair(n)
        q = self.query(a)
        k = self.slow_keys(b)
        logits = [(q * k).sum(dim=1, keepdim=True)]
        if self.queue.keys is not None:
            old_sites, old = self.queue.keys
            clash = sites[:, None] == old_sites[None]
            logits.append((q @ old.T).masked_fill(clash, -10.0))
        else:
            logits.append((q @ k.T).masked_fill(torch.eye(n, dtype=torch.bool), -10.0))
        score = torch.cat(logits, dim=1) / 0.2
        loss = F.cross_entropy(score, torch.zeros(n, dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.queue(sites, k)
        return loss.item()

    def embedding(self, site):
        if site not in self.table:
            self.table[site] = self.query(self.atlas.base[site][None])[0]
        return self.table[site]

    @torch.no_grad()
    def recall(self):
        table = torch.stack([self.embedding(s) for s in range(N_SITES)])
        sites, words, _ = self.atlas.pair(N_SITES)
        found = (self.query(words) @ table.T).argmax(dim=1)
        self.table.clear()
        return (found == sites).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(1881)
    fit = ContrastiveFit(Atlas(27))
    for epoch in range(8):
        losses = [fit.step(16) for _ in range(20)]
        fit.history["loss"].append(sum(losses) / len(losses))
        fit.history["recall"].append(fit.recall())
        print(f"epoch {epoch}  loss {fit.history['loss'][-1]:.3f}  recall {fit.history['recall'][-1]:.2f}")
