# gradwatch-corpus: kind=none
"""
Ad conversion model with delayed feedback.

An impression is scored when it is served. Its label is known only when the attribution window closes,
some ticks later, and that is when the score is trained.
"""
import heapq
import itertools

import torch
from torch import nn
import torch.nn.functional as F

TICKS = 520
PER_TICK = 20
MIN_DELAY, MAX_DELAY = 4, 30


class HashedLogit(nn.Module):
    """Wide model: summed hashed weights plus a linear part on dense features."""

    def __init__(self, buckets, n_dense):
        super().__init__()
        self.wide = nn.EmbeddingBag(buckets, 1, mode="sum")
        self.dense = nn.Linear(n_dense, 1)
        nn.init.zeros_(self.wide.weight)

    def forward(self, ids, dense):
        return (self.wide(ids) + self.dense(dense)).squeeze(1)


class AttributionWindow:
    def __init__(self):
        self._heap = []
        self._tie = itertools.count()

    def serve(self, due, score, label):
        heapq.heappush(self._heap, (due, next(self._tie), score, label))

    def closed(self, now):
        while self._heap and self._heap[0][0] <= now:
            _, _, score, label = heapq.heappop(self._heap)
            yield score, label

    def __len__(self):
        return len(self._heap)


class AdServer:
    def __init__(self, seed, buckets=400, n_dense=5):
        self.g = torch.Generator().manual_seed(seed)
        self.w = 0.7 * torch.randn(buckets, generator=self.g)
        self.v = 0.5 * torch.randn(n_dense, generator=self.g)
        self.buckets, self.n_dense = buckets, n_dense

    def impressions(self):
        ids = torch.randint(0, self.buckets, (PER_TICK, 4), generator=self.g)
        dense = torch.randn(PER_TICK, self.n_dense, generator=self.g)
        p = torch.sigmoid(self.w[ids].sum(1) + dense @ self.v - 0.5)
        label = torch.bernoulli(p, generator=self.g)
        delay = torch.randint(MIN_DELAY, MAX_DELAY + 1, (1,), generator=self.g).item()
        return ids, dense, label, delay


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    server = AdServer(seed=15)
    model = HashedLogit(server.buckets, server.n_dense)
    opt = torch.optim.SGD(model.parameters(), lr=0.4)
    window = AttributionWindow()
    nll, trained = 0.0, 0
    for tick in range(TICKS):
        ids, dense, label, delay = server.impressions()
        window.serve(tick + delay, model(ids, dense), label)

        ready = list(window.closed(tick))
        if ready:
            loss = sum(F.binary_cross_entropy_with_logits(s, y) for s, y in ready) / len(ready)
            opt.zero_grad()
            loss.backward()
            opt.step()
            nll += loss.item()
            trained += 1
        if (tick + 1) % 80 == 0:
            print(f"tick {tick + 1}: open {len(window)} nll {nll / max(trained, 1):.4f}")
            nll, trained = 0.0, 0


if __name__ == "__main__":
    main()
