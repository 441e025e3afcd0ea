# gradwatch-corpus: kind=graph-held
# holder: METRICS | scope | ctx | metrics
# first-bad: 1
# notice: 8
"""Multi-label tagging of token bags; metrics travel in a context variable, as in the serving code."""
import contextvars
import types

import torch
import torch.nn as nn
import torch.nn.functional as F

METRICS = contextvars.ContextVar("metrics", default=types.MappingProxyType({}))


def publish(name, value):
    """Never changes a mapping that others may read: each publication makes a new one."""
    old = METRICS.get()
    METRICS.set(types.MappingProxyType({**old, name: value}))  # <- culprit


def published(prefix):
    return {k: v for k, v in METRICS.get().items() if k.startswith(prefix)}


class Tagger(nn.Module):
    def __init__(self, vocab=500, tags=20, dim=32):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, tags)

    def forward(self, ids):
        return self.out(self.norm(self.bag(ids)))


class FocalLoss(nn.Module):
    def __init__(self, gamma=1.5):
        super().__init__()
        self.gamma = gamma

    def forward(self, logits, y):
        ce = F.binary_cross_entropy_with_logits(logits, y, reduction="none")
        pt = torch.exp(-ce)
        return ((1 - pt) ** self.gamma * ce).mean()


class Corpus:
    def __init__(self, seed=2):
        self.gen = torch.Generator().manual_seed(seed)
        self.map = (torch.rand(500, 20, generator=self.gen) < 0.03).float()

    def batch(self, n=32, length=15):
        ids = torch.randint(0, 500, (n, length), generator=self.gen)
        return ids, self.map[ids].amax(1)


class Trainer:
    def __init__(self):
        self.net = Tagger()
        self.criterion = FocalLoss()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-2)

    def step(self, number, ids, y):
        self.opt.zero_grad()
        logits = self.net(ids)
        loss = self.criterion(logits, y)
        loss.backward()
        self.opt.step()
        publish(f"train/{number}/focal", loss)  # <- culprit
        publish(f"train/{number}/exact", ((logits > 0) == (y > 0)).all(1).float().mean().item())
        return loss


def run():
    trainer = Trainer()
    corpus = Corpus()
    for number in range(100):
        trainer.step(number, *corpus.batch())
        if number % 20 == 19:
            last = published(f"train/{number}/")
            print({k: round(float(v), 4) for k, v in last.items()})
    return len(published("train/"))


def main():
    torch.manual_seed(13)
    torch.set_num_threads(1)
    ctx = contextvars.copy_context()
    print("published", ctx.run(run))


if __name__ == "__main__":
    main()
