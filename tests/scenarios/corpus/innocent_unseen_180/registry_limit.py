# gradwatch-corpus: kind=none
"""Text classifier whose forward results register themselves in a class-level registry."""
import collections
import itertools

import torch
import torch.nn.functional as F
from torch import nn


class Result:
    _registry = collections.OrderedDict()
    _limit = 50
    _ids = itertools.count()

    def __init__(self, logits, target):
        self.uid = next(Result._ids)
        self.logits = logits
        self.target = target
        self.loss = F.cross_entropy(logits, target)
        type(self)._register(self)

    @classmethod
    def _register(cls, obj):
        cls._registry[obj.uid] = obj
        while len(cls._registry) > cls._limit:
            cls._registry.popitem(last=False)

    @classmethod
    def lookup(cls, uid):
        return cls._registry.get(uid)

    @classmethod
    def recent_accuracy(cls):
        hit = n = 0
        for obj in cls._registry.values():
            hit += (obj.logits.argmax(-1) == obj.target).sum().item()
            n += obj.target.numel()
        return hit / max(1, n)


class BagClassifier(nn.Module):
    def __init__(self, vocab, dim, classes):
        super().__init__()
        self.bag = nn.EmbeddingBag(vocab, dim, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Dropout(0.1), nn.Linear(dim, classes))

    def forward(self, tokens):
        return self.mlp(self.bag(tokens))


def make_batch(gen, topics, n=32, length=12):
    y = torch.randint(0, topics.size(0), (n,), generator=gen)
    tokens = torch.multinomial(topics[y], length, replacement=True, generator=gen)
    return tokens, y


def main():
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(6)
    vocab, classes = 200, 7
    topics = torch.softmax(2.0 * torch.randn(classes, vocab, generator=gen), dim=-1)
    model = BagClassifier(vocab, 24, classes)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 200, 0.5)
    for step in range(620):
        tokens, y = make_batch(gen, topics)
        result = Result(model(tokens), y)
        opt.zero_grad()
        result.loss.backward()
        opt.step()
        sched.step()
        if step % 124 == 0:
            prev = Result.lookup(result.uid - 20)
            was = prev.loss.item() if prev else float("nan")
            print(step, f"loss {result.loss.item():.3f} (20 ago {was:.3f}) acc {Result.recent_accuracy():.3f}")


if __name__ == "__main__":
    main()
