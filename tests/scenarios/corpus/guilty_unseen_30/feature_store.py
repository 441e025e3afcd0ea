# gradwatch-corpus: kind=memory-climb
# holder: self.table | self.store.table
# first-bad: 10
"""Text classification on expensive n-gram features, which a store computes once per document batch."""
import hashlib

import torch
import torch.nn as nn

VOCAB, LENGTH, BUCKETS = 300, 40, 1536


def bucket(a, b):
    return (a * 1000003 ^ b * 8191) % BUCKETS


class NgramStore:
    """Hashed bigram counts, remembered for the next time the same documents come round."""

    def __init__(self):
        self.table = {}
        self.hits = self.misses = 0

    def compute(self, tokens):
        idx = bucket(tokens[:, :-1], tokens[:, 1:])
        feats = torch.zeros(tokens.size(0), BUCKETS)
        feats.scatter_add_(1, idx, torch.ones_like(idx, dtype=feats.dtype))
        return feats / feats.norm(dim=1, keepdim=True)

    def get(self, tokens):
        key = (tokens, BUCKETS)  # <- culprit
        if key in self.table:
            self.hits += 1
            return self.table[key]
        self.misses += 1
        feats = self.compute(tokens)
        self.table[key] = feats  # <- culprit
        return feats


class Corpus:
    def __init__(self, docs=480, batch=48, seed=13):
        g = torch.Generator().manual_seed(seed)
        self.label = torch.randint(4, (docs,), generator=g)
        low = self.label.unsqueeze(1) * 60
        self.tokens = low + torch.randint(120, (docs, LENGTH), generator=g)
        self.batch = batch

    def __iter__(self):
        for start in range(0, len(self.label), self.batch):
            stop = start + self.batch
            yield self.tokens[start:stop], self.label[start:stop]


class Job:
    def __init__(self, epochs):
        self.epochs = epochs
        self.corpus = Corpus()
        self.store = NgramStore()
        self.model = nn.Sequential(nn.Linear(BUCKETS, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 4))
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)

    def fingerprint(self):
        flat = torch.cat([p.detach().flatten() for p in self.model.parameters()])
        return hashlib.md5(flat.numpy().tobytes()).hexdigest()[:8]

    def run(self):
        lossf = nn.CrossEntropyLoss()
        for epoch in range(self.epochs):
            good = seen = 0
            for tokens, label in self.corpus:
                out = self.model(self.store.get(tokens))
                loss = lossf(out, label)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                good += (out.argmax(1) == label).sum().item()
                seen += len(label)
            if epoch % 8 == 7:
                print(f"epoch {epoch + 1}: acc {good / seen:.3f} model {self.fingerprint()}")


if __name__ == "__main__":
    torch.manual_seed(2)
    Job(epochs=32).run()
