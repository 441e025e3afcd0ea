# gradwatch-corpus: kind=graph-chain
# holder: self.keys | bank.keys | bank | k
# first-bad: 1
"""Contrastive projection on top of frozen audio features with a queue of negatives."""
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)

DIM, PROJ, BATCH, STEPS = 40, 24, 32, 100
TEMPERATURE = 0.15


class FrozenFeatures:
    """Stands in for a pretrained front end: returns two views of a batch of clips."""

    def __init__(self, n_speakers=60):
        self.centres = torch.randn(n_speakers, DIM)

    def __iter__(self):
        return self

    def __next__(self):
        who = torch.randint(0, len(self.centres), (BATCH,))
        base = self.centres[who]
        return (base + 0.5 * torch.randn_like(base), base + 0.5 * torch.randn_like(base))


class KeyBank:
    def __init__(self, size):
        self.keys = deque(maxlen=size)

    def __len__(self):
        return len(self.keys)

    def push(self, k):
        self.keys.append(k)  # <- culprit

    def negatives(self):
        return torch.cat(tuple(self.keys))


class Projector(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin = nn.Linear(DIM, PROJ, bias=False)

    def forward(self, x):
        return F.normalize(self.lin(x), dim=-1)


def info_nce(q, k, neg):
    pos = (q * k).sum(-1, keepdim=True)
    logits = torch.cat([pos, q @ neg.t()], 1) / TEMPERATURE
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def run():
    feats = FrozenFeatures()
    query, key = Projector(), Projector()
    bank = KeyBank(80)
    opt = torch.optim.Adam([*query.parameters(), *key.parameters()], lr=2e-3)

    a, _ = next(feats)
    with torch.no_grad():
        bank.push(key(a))

    for step, (va, vb) in zip(range(STEPS), feats):
        q, k = query(va), key(vb)
        loss = info_nce(q, k, bank.negatives())
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        bank.push(k)  # <- culprit
        if step % 25 == 0:
            acc = ((q @ k.t()).argmax(1) == torch.arange(BATCH)).float().mean()
            print(f"step {step:3d} loss {loss.item():.3f} top1 {acc.item():.2f} bank {len(bank)}")


if __name__ == "__main__":
    run()
