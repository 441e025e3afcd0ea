# gradwatch-corpus: kind=none
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
random.seed(14)
torch.manual_seed(14)

TOPICS = {
    "sea": "boat wave salt gull harbour tide net sail".split(),
    "law": "court judge appeal clause statute plea bail brief".split(),
    "food": "bread salt oven crust yeast flour butter jam".split(),
    "rail": "track signal brake coach tunnel points steam brief".split(),
}
STOI = {w: i + 1 for i, w in enumerate(sorted({w for ws in TOPICS.values() for w in ws}))}


def sentence(topic, n=6):
    return [STOI[w] for w in random.choices(TOPICS[topic], k=n)]


def corrupt(ids, p=0.2):
    return [0 if random.random() < p else i for i in ids]


def batch(n):
    raw = [sentence(random.choice(list(TOPICS))) for _ in range(n)]
    return torch.tensor([corrupt(s) for s in raw]), torch.tensor([corrupt(s) for s in raw])


class Encoder(nn.Module):
    def __init__(self, d=12):
        super().__init__()
        self.tok = nn.Embedding(len(STOI) + 1, d, padding_idx=0)
        self.att = nn.MultiheadAttention(d, 2, batch_first=True)
        self.out = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, d))

    def forward(self, ids):
        x = self.tok(ids)
        y, _ = self.att(x, x, x, need_weights=False)
        return F.normalize(self.out((x + y).mean(1)), dim=-1)


class MoCo(nn.Module):
    def __init__(self, size=64, m=0.98, temp=0.2, d=12):
        super().__init__()
        self.q = Encoder(d)
        self.k = copy.deepcopy(self.q).requires_grad_(False)
        self.register_buffer("bank", F.normalize(torch.randn(size, d), dim=-1))
        self.m, self.temp, self.ptr = m, temp, 0

    @torch.no_grad()
    def _keys(self, ids):
        for a, b in zip(self.k.parameters(), self.q.parameters()):
            a.lerp_(b, 1 - self.m)
        return self.k(ids)

    def _enqueue(self, keys):
        idx = (self.ptr + torch.arange(len(keys))) % len(self.bank)
        self.bank = self.bank.index_copy(0, idx, keys)
        self.ptr = (self.ptr + len(keys)) % len(self.bank)

    def forward(self, a, b):
        q, k = self.q(a), self._keys(b)
        pos = (q * k).sum(-1, keepdim=True)
        neg = q @ self.bank.T
        logits = torch.cat([pos, neg], 1) / self.temp
        self._enqueue(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)), logits


moco = MoCo()
opt = torch.optim.AdamW(moco.q.parameters(), lr=3e-3)
stats = {"loss": 0.0, "acc": 0.0, "n": 0}
for it in range(1, 801):
    loss, logits = moco(*batch(8))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    stats["loss"] += float(loss.detach())
    stats["acc"] += (logits.argmax(1) == 0).float().mean().item()
    stats["n"] += 1
    if it % 200 == 0:
        print(f"{it}: loss {stats['loss'] / stats['n']:.3f} rank-1 {stats['acc'] / stats['n']:.1%}")
        stats = dict.fromkeys(stats, 0)

with torch.no_grad():
    centre = {t: moco.q(torch.tensor([sentence(t) for _ in range(20)])).mean(0) for t in TOPICS}
    for t, c in centre.items():
        near = max((u for u in TOPICS if u != t), key=lambda u: float(c @ centre[u]))
        print(f"{t}: nearest other topic {near}")
