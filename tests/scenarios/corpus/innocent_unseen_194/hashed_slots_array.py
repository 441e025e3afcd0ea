# gradwatch-corpus: kind=none
import zlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

BUCKETS = 28


def bucket(text):
    return zlib.crc32(text.encode()) % BUCKETS


class NameModel(nn.Module):
    """Hashed character trigrams to a language of origin."""

    def __init__(self, table=256, dim=16, classes=4):
        super().__init__()
        self.table = table
        self.bag = nn.EmbeddingBag(table, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, 24), nn.ReLU(), nn.Linear(24, classes))

    def encode(self, names):
        ids, offsets = [], []
        for name in names:
            offsets.append(len(ids))
            padded = f"^{name}$"
            ids += [zlib.crc32(padded[i : i + 3].encode()) % self.table for i in range(len(padded) - 2)]
        return torch.tensor(ids), torch.tensor(offsets)

    def forward(self, names):
        return self.mlp(self.bag(*self.encode(names)))


SYLLABLES = [
    ["ka", "mi", "to", "shi", "ro", "na"],
    ["sen", "berg", "lund", "str", "ik", "olm"],
    ["ini", "lla", "cco", "ber", "ti", "ros"],
    ["ov", "ska", "vich", "dmi", "pet", "yev"],
]


def make_names(n, rng):
    label = rng.integers(0, 4, size=n)
    names = ["".join(rng.choice(SYLLABLES[k], size=rng.integers(2, 4))) for k in label]
    return names, torch.from_numpy(label)


def main():
    torch.manual_seed(88)
    rng = np.random.default_rng(88)
    model = NameModel()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    slots = np.empty(BUCKETS, dtype=object)
    hits = np.zeros(BUCKETS, dtype=np.int64)

    for step in range(500):
        names, label = make_names(24, rng)
        logits = model(names)
        loss = F.cross_entropy(logits, label, label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        b = bucket(names[0])
        slots[b] = logits[0].log_softmax(-1)
        hits[b] += 1
        if step % 100 == 99:
            used = [s for s in slots if s is not None]
            sure = np.mean([s.max().exp().item() for s in used])
            print(f"{step + 1}: loss {loss.item():.3f} slots {len(used)} confidence {sure:.3f} busiest {hits.max()}")


if __name__ == "__main__":
    main()
