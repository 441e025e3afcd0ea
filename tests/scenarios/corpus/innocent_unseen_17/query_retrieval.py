# gradwatch-corpus: kind=none
"""Dual encoder for search queries against product titles: momentum key encoder, a queue of past keys as
negatives, and older weights of the key encoder averaged in now and then."""
import copy
import functools
import itertools
from collections import OrderedDict, deque

import torch
import torch.nn.functional as F
from torch import nn

VOCAB, DIM, BATCH = 400, 32, 32


def keeps(size):
    """Remember the last few results of a function, by call number."""

    def decorate(fn):
        store = OrderedDict()
        counter = itertools.count()

        @functools.wraps(fn)
        def inner(*args, **kwargs):
            result = fn(*args, **kwargs)
            store[next(counter)] = result
            while len(store) > size:
                store.popitem(last=False)
            return result

        inner.kept = store
        return inner

    return decorate


class BagEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.EmbeddingBag(VOCAB, DIM, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(DIM, 64), nn.ReLU(), nn.Linear(64, DIM))

    def forward(self, ids):
        return F.normalize(self.mlp(self.words(ids)), dim=-1)


class KeyQueue:
    def __init__(self, batches):
        self.batches = deque(maxlen=batches)

    def push(self, keys):
        self.batches.append(keys)

    def negatives(self):
        return torch.cat(tuple(self.batches)) if self.batches else torch.empty(0, DIM)


class Retriever:
    def __init__(self, momentum=0.99, temperature=0.1):
        self.query = BagEncoder()
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.queue = KeyQueue(batches=12)
        self.earlier = deque(maxlen=3)
        self.momentum, self.temperature = momentum, temperature

    @torch.no_grad()
    def follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.lerp_(q, 1 - self.momentum)

    def remember_weights(self):
        self.earlier.append(copy.deepcopy(self.key.state_dict()))

    @torch.no_grad()
    def blend_earlier(self):
        for name, value in self.key.state_dict().items():
            mean = sum(state[name] for state in self.earlier) / len(self.earlier)
            value.lerp_(mean, 0.1)

    def loss(self, queries, titles):
        q = self.query(queries)
        k = self.key(titles)
        positive = (q * k).sum(-1, keepdim=True)
        logits = torch.cat([positive, q @ self.queue.negatives().T], 1) / self.temperature
        self.queue.push(k)
        if logits.shape[1] == 1:
            logits = q @ k.T / self.temperature
            return F.cross_entropy(logits, torch.arange(len(q)))
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def clicks(seed):
    """Endless (query, clicked title) pairs; both come from the same small topic of words."""
    rng = torch.Generator().manual_seed(seed)
    while True:
        topic = torch.randint(0, VOCAB // 10, (BATCH, 1), generator=rng) * 10
        query = topic + torch.randint(0, 10, (BATCH, 4), generator=rng)
        title = topic + torch.randint(0, 10, (BATCH, 8), generator=rng)
        yield query, title


@torch.no_grad()
def recall_at_1(retriever, pairs, rounds=4):
    hits = []
    for query, title in itertools.islice(pairs, rounds):
        scores = retriever.query(query) @ retriever.key(title).T
        best = scores.max(-1).values
        hits.append((scores.diagonal() >= best - 1e-6).float().mean().item())
    return sum(hits) / len(hits)


def main(steps=500):
    torch.manual_seed(19)
    retriever = Retriever()
    optimizer = torch.optim.AdamW(retriever.query.parameters(), lr=3e-3)
    test_pairs = clicks(seed=100)

    @keeps(size=4)
    def step(queries, titles):
        loss = retriever.loss(queries, titles)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        retriever.follow()
        return loss

    for i, (queries, titles) in enumerate(itertools.islice(clicks(seed=1), steps)):
        step(queries, titles)
        if i % 40 == 39:
            retriever.remember_weights()
            retriever.blend_earlier()
        if i % 125 == 124:
            recent = [v.item() for v in step.kept.values()]
            print(f"{i + 1:4d}  loss {sum(recent) / len(recent):.3f}  "
                  f"recall@1 {recall_at_1(retriever, test_pairs):.2f}")


if __name__ == "__main__":
    main()
