# gradwatch-corpus: kind=none
"""Curriculum over micro-batches: a bucket queue orders losses, cheapest are trained first."""
import torch
import torch.nn.functional as F
from torch import nn


class BucketQueue:
    def __init__(self, width, n_buckets):
        self.width = width
        self.buckets = [[] for _ in range(n_buckets)]
        self.size = 0

    def _slot(self, key):
        return max(0, min(len(self.buckets) - 1, int(key / self.width)))

    def push(self, key, item):
        self.buckets[self._slot(key)].append(item)
        self.size += 1

    def pop_min(self):
        for bucket in self.buckets:
            if bucket:
                self.size -= 1
                return bucket.pop(0)
        raise IndexError("empty queue")

    def remove_if(self, test):
        out = [it for bucket in self.buckets for it in bucket if test(it)]
        self.buckets = [[it for it in bucket if not test(it)] for bucket in self.buckets]
        self.size -= len(out)
        return out

    def __len__(self):
        return self.size


class FixedFeatures:
    def __init__(self, n_in, n_out):
        self.w = torch.randn(n_in, n_out) / n_in ** 0.5
        self.b = torch.rand(n_out) * 6.28

    def __call__(self, x):
        return torch.cos(x @ self.w + self.b)


class Curriculum:
    def __init__(self, model, opt, pool=6, take=4, patience=25):
        self.model, self.opt = model, opt
        self.pool, self.take, self.patience = pool, take, patience
        self.queue = BucketQueue(width=0.1, n_buckets=30)
        self.round = 0
        self.waited = 0

    def propose(self, make):
        while len(self.queue) < self.pool:
            x, y = make()
            loss = F.cross_entropy(self.model(x), y)
            self.queue.push(loss.item(), (self.round, loss))

    def update(self):
        chosen = self.queue.remove_if(lambda it: self.round - it[0] >= self.patience)
        while len(chosen) < self.take:
            chosen.append(self.queue.pop_min())
        self.waited += sum(self.round - born for born, _ in chosen)
        total = torch.stack([loss for _, loss in chosen]).mean()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.round += 1
        return total


def main():
    torch.manual_seed(29)
    centers = 1.5 * torch.randn(4, 10)

    def make():
        y = torch.randint(0, 4, (16,))
        noise = 0.5 + 2 * torch.rand(1)
        return features(centers[y] + noise * torch.randn(16, 10)), y

    features = FixedFeatures(10, 48)
    model = nn.Linear(48, 4)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    cur = Curriculum(model, opt)
    shown = [None] * 20
    for it in range(450):
        cur.propose(make)
        shown[it % len(shown)] = cur.update()
        if it % 75 == 74:
            print(f"{it + 1}: train {sum(t.item() for t in shown) / len(shown):.4f} mean wait {cur.waited / (4 * cur.round):.2f}")


if __name__ == "__main__":
    main()
