# gradwatch-corpus: kind=none
"""Music listeners: session model with a cache of the listeners' latest vectors.

The cache answers "how far did this listener move since the last session" for the
drift report. It is limited in size; the least recently used listener goes first.
"""
from collections import OrderedDict

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(21)

TRACKS, DIM = 150, 16


class ListenerCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self._store = OrderedDict()
        self.hits = self.misses = 0

    def get(self, key):
        if key in self._store:
            self.hits += 1
            self._store.move_to_end(key)
            return self._store[key]
        self.misses += 1
        return None

    def put(self, key, value):
        self._store[key] = value
        self._store.move_to_end(key)
        while len(self._store) > self.capacity:
            self._store.popitem(last=False)


class SessionNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.tracks = nn.Embedding(TRACKS, DIM)
        self.rnn = nn.GRU(DIM, DIM, batch_first=True)
        self.out = nn.Linear(DIM, TRACKS)

    def forward(self, session):
        h, last = self.rnn(self.tracks(session))
        return last[0], self.out(h)


def sessions(steps, listeners=500, batch=8, length=6):
    taste = torch.randint(0, TRACKS, (listeners, 5))
    for _ in range(steps):
        # a few listeners are very active, most come rarely
        who = (listeners * torch.rand(batch) ** 3).long()
        picks = torch.randint(0, 5, (batch, length + 1))
        yield who, taste[who].gather(1, picks)


def main():
    net = SessionNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    cache = ListenerCache(capacity=64)
    drift, drift_n = 0.0, 0

    for step, (who, tracks) in enumerate(sessions(360)):
        vec, logits = net(tracks[:, :-1])
        loss = F.cross_entropy(logits.reshape(-1, TRACKS), tracks[:, 1:].reshape(-1))
        opt.zero_grad()
        loss.backward()
        opt.step()

        for uid, v in zip(who.tolist(), vec):
            before = cache.get(uid)
            if before is not None:
                drift += 1 - F.cosine_similarity(before, v, dim=0).item()
                drift_n += 1
            cache.put(uid, v)

        if step % 60 == 59:
            print(f"{step + 1:4d} loss {loss.item():.3f} drift {drift / max(drift_n, 1):.3f} "
                  f"cache {cache.hits}/{cache.hits + cache.misses}")


if __name__ == "__main__":
    main()
