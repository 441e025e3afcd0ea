# gradwatch-corpus: kind=second-backward
# holder: self.biases | self.biases.data | model.attn.biases | model.attn.biases.data
# first-bad: 5
import random
from collections import UserDict

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Reversals(Dataset):
    LENGTHS = (6, 8, 10, 12, 14)

    def __init__(self, batches=90, per_batch=16):
        self.plan = []
        rnd = random.Random(0)
        while len(self.plan) < batches:
            turn = list(self.LENGTHS)
            rnd.shuffle(turn)
            self.plan += turn
        self.plan = self.plan[:batches]
        self.per_batch = per_batch

    def __len__(self):
        return len(self.plan) * self.per_batch

    def __getitem__(self, i):
        rnd = random.Random(i)
        return [rnd.randrange(20) for _ in range(self.plan[i // self.per_batch])]


def collate(rows):
    ids = torch.tensor(rows)
    return {"ids": ids, "target": ids.flip(1)}


class LazyBiases(UserDict):
    """Relative-position bias by length, made the first time a length is met."""

    def __init__(self, make):
        super().__init__()
        self.make = make

    def __missing__(self, length):
        self[length] = self.make(length)  # <- culprit
        return self[length]


class BiasedAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.q, self.k, self.v = (nn.Linear(dim, dim) for _ in range(3))
        self.rel = nn.Sequential(nn.Linear(1, 16), nn.GELU(), nn.Linear(16, 1))
        self.biases = LazyBiases(self.make_bias)

    def make_bias(self, length):
        pos = torch.arange(length, dtype=torch.float) / 16
        return self.rel((pos[:, None] - pos[None, :]).unsqueeze(-1)).squeeze(-1)

    def forward(self, x):
        scores = self.q(x) @ self.k(x).transpose(1, 2) / x.shape[-1] ** 0.5
        scores = scores + self.biases[x.shape[1]]  # <- culprit
        return scores.softmax(-1) @ self.v(x)


class Reverser(nn.Module):
    def __init__(self, vocab=20, dim=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.pos = nn.Embedding(16, dim)
        self.attn = BiasedAttention(dim)
        self.out = nn.Linear(dim, vocab)

    def forward(self, ids):
        x = self.emb(ids) + self.pos(torch.arange(ids.shape[1]))
        return self.out(x + self.attn(x))


def main():
    torch.manual_seed(2)
    loader = DataLoader(Reversals(), batch_size=16, collate_fn=collate, num_workers=1)
    model = Reverser()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step, batch in enumerate(loader):
        logits = model(batch["ids"])
        loss = F.cross_entropy(logits.transpose(1, 2), batch["target"])
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(f"step {step} len {batch['ids'].shape[1]} loss {loss.item():.3f}", flush=True)


if __name__ == "__main__":
    main()
