# gradwatch-corpus: kind=none
"""Knowledge graph embedding; triple scores are memoised in two generations."""
import torch
from torch import nn


class GenerationalCache:
    def __init__(self, rotate_after):
        self.rotate_after = rotate_after
        self.young, self.old = {}, {}
        self.writes = 0

    def lookup(self, key):
        if key in self.young:
            return self.young[key]
        return self.old.get(key)

    def store(self, key, value):
        self.young[key] = value
        self.writes += 1
        if self.writes % self.rotate_after == 0:
            self.old, self.young = self.young, {}


class TransE(nn.Module):
    def __init__(self, n_ent, n_rel, dim=20):
        super().__init__()
        self.ent = nn.Embedding(n_ent, dim)
        self.rel = nn.Embedding(n_rel, dim)

    def distance(self, h, r, t):
        return (self.ent(h) + self.rel(r) - self.ent(t)).norm(dim=-1)


class KGTask:
    def __init__(self, n_ent, n_rel, seed):
        self.n_ent, self.n_rel = n_ent, n_rel
        self.gen = torch.Generator().manual_seed(seed)
        self.shift = torch.randint(1, n_ent, (n_rel,), generator=self.gen)

    def batch(self, n=32):
        h = torch.randint(self.n_ent, (n,), generator=self.gen)
        r = torch.randint(self.n_rel, (n,), generator=self.gen)
        t = (h + self.shift[r]) % self.n_ent
        bad = torch.randint(self.n_ent, (n,), generator=self.gen)
        return h, r, t, bad


def main(steps=440):
    torch.manual_seed(50)
    task = KGTask(80, 4, 50)
    model = TransE(task.n_ent, task.n_rel)
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    cache = GenerationalCache(rotate_after=40)
    drift = 0.0
    for step in range(steps):
        h, r, t, bad = task.batch()
        pos, neg = model.distance(h, r, t), model.distance(h, r, bad)
        loss = torch.relu(1.0 + pos - neg).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        key = (int(h[0]), int(r[0]))
        earlier = cache.lookup(key)
        if earlier is not None:
            drift = 0.8 * drift + 0.2 * abs(earlier.item() - pos[0].item())
        cache.store(key, pos[0])
        if step % 88 == 87:
            print(f"step {step} loss {loss.item():.4f} drift {drift:.4f} cached {len(cache.young)}+{len(cache.old)}")


if __name__ == "__main__":
    main()
