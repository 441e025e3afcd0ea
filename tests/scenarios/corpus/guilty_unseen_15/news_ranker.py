# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | sampler.difficulty | self.difficulty[i] | self.difficulty[item] | self.sampler.difficulty | difficulty | ranker.sampler.difficulty
# first-bad: 1
"""Two-tower news recommender with BPR loss; negatives are drawn more often from the
articles that the ranker currently confuses with the clicked one."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

N_USERS, N_ITEMS, DIM, N_TOPICS = 400, 150, 16, 6


def make_clicks(n_events, rng):
    """Users have one or two topics they like; items have exactly one."""
    topic_of = [rng.randrange(N_TOPICS) for _ in range(N_ITEMS)]
    by_topic = {t: [i for i in range(N_ITEMS) if topic_of[i] == t] for t in range(N_TOPICS)}
    taste = [rng.sample(range(N_TOPICS), rng.choice((1, 2))) for _ in range(N_USERS)]
    events = []
    while len(events) < n_events:
        u = rng.randrange(N_USERS)
        t = rng.choice(taste[u]) if rng.random() < 0.9 else rng.randrange(N_TOPICS)
        if by_topic[t]:
            events.append((u, rng.choice(by_topic[t])))
    return events


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(N_USERS, DIM)
        self.item = nn.Embedding(N_ITEMS, DIM)
        self.mix = nn.Linear(DIM, DIM)
        self.bias = nn.Embedding(N_ITEMS, 1)
        for e in (self.user, self.item):
            nn.init.normal_(e.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def score(self, users, items):
        u = self.mix(self.user(users))
        return (u * self.item(items)).sum(-1) + self.bias(items).squeeze(-1)


class HardNegativeSampler:
    """Keeps a smoothed difficulty per article and draws negatives by it."""

    def __init__(self, n_items, rng, momentum=0.9, floor=0.05):
        self.rng = rng
        self.momentum = momentum
        self.floor = floor
        self.difficulty = {}

    def weights(self):
        return [self.floor + float(self.difficulty.get(i, 0.7)) for i in range(N_ITEMS)]

    def draw(self, positives):
        picks = self.rng.choices(range(N_ITEMS), weights=self.weights(), k=len(positives))
        return [n if n != p else (n + 1) % N_ITEMS for n, p in zip(picks, positives)]

    def feedback(self, items, losses):
        touched = {}
        for item, value in zip(items, losses):
            touched.setdefault(item, value)
        for item, value in touched.items():
            before = self.difficulty.get(item)
            if before is None:
                self.difficulty[item] = value  # <- culprit
            else:
                self.difficulty[item] = self.momentum * before + (1 - self.momentum) * value  # <- culprit


class Ranker:
    def __init__(self, events, seed=0):
        self.rng = random.Random(seed)
        self.events = events
        self.model = Towers()
        self.sampler = HardNegativeSampler(N_ITEMS, self.rng)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=0.1)

    def batches(self, size):
        while True:
            self.rng.shuffle(self.events)
            for k in range(0, len(self.events) - size, size):
                yield self.events[k:k + size]

    def bpr(self, users, pos, neg):
        margin = self.model.score(users, pos) - self.model.score(users, neg)
        return F.softplus(-margin)

    def update(self, batch):
        users, pos = (list(c) for c in zip(*batch))
        neg = self.sampler.draw(pos)
        per_pair = self.bpr(torch.tensor(users), torch.tensor(pos), torch.tensor(neg))
        loss = per_pair.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sampler.feedback(neg, per_pair)
        return loss.item()

    @torch.no_grad()
    def hit_rate(self, events, k=20):
        hits = 0
        everything = torch.arange(N_ITEMS)
        for u, i in events:
            top = self.model.score(torch.tensor([u]).expand(N_ITEMS), everything).topk(k).indices
            hits += int((top == i).any())
        return hits / len(events)


def main(iterations=240, batch_size=48):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rng = random.Random(5)
    events = make_clicks(6000, rng)
    held_out, train = events[:150], events[150:]
    ranker = Ranker(train)
    smooth = 0.0
    for it, batch in zip(range(iterations), ranker.batches(batch_size)):
        smooth += (ranker.update(batch) - smooth) * (0.05 if it else 1.0)
        if it % 80 == 79:
            print(f"it {it + 1}: bpr {smooth:.4f}  HR@20 {ranker.hit_rate(held_out):.3f}")


main()
