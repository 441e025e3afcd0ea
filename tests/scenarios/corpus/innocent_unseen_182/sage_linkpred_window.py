# gradwatch-corpus: kind=none
"""GraphSAGE link prediction on a growing citation graph, with a rolling loss window."""
import random
from collections import OrderedDict, deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class SAGELayer(nn.Module):
    def __init__(self, a, b):
        super().__init__()
        self.self_lin = nn.Linear(a, b)
        self.nbr_lin = nn.Linear(a, b, bias=False)

    def forward(self, x, edges):
        src, dst = edges
        agg = torch.zeros_like(x).index_add(0, dst, x[src])
        deg = torch.bincount(dst, minlength=len(x)).clamp(min=1).unsqueeze(1)
        return self.self_lin(x) + self.nbr_lin(agg / deg)


class SAGE(nn.Module):
    def __init__(self, n_in, dim):
        super().__init__()
        self.l1, self.l2 = SAGELayer(n_in, dim), SAGELayer(dim, dim)

    def forward(self, x, edges):
        return self.l2(torch.relu(self.l1(x, edges)), edges)


class LRU:
    """Small cache of node representations keyed by snapshot id."""

    def __init__(self, size):
        self.size = size
        self.items = OrderedDict()

    def put(self, key, value):
        self.items[key] = value
        self.items.move_to_end(key)
        while len(self.items) > self.size:
            self.items.popitem(last=False)

    def drift(self):
        if len(self.items) < 2:
            return 0.0
        vals = list(self.items.values())
        with torch.no_grad():
            return (vals[-1] - vals[0]).norm(dim=1).mean().item()


def citation(n, seed):
    rng = random.Random(seed)
    pairs = []
    for v in range(4, n):
        for u in rng.sample(range(max(0, v - 15), v), 3):
            pairs.append((v, u))
    return torch.tensor(pairs).T


def main(steps=450):
    torch.manual_seed(26)
    n = 120
    edges = citation(n, 26)
    both = torch.cat([edges, edges.flip(0)], 1)
    feats = torch.stack([torch.sin(torch.arange(n) / p) for p in (3.0, 7.0, 19.0, 41.0)], 1)
    model = SAGE(4, 16)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    window = deque(maxlen=25)
    cache = LRU(6)
    best, best_z = float("inf"), None
    for step in range(steps):
        z = model(feats, both)
        pos = edges[:, torch.randint(0, edges.shape[1], (64,))]
        neg = torch.randint(0, n, (2, 64))
        score = lambda e: (z[e[0]] * z[e[1]]).sum(-1)
        loss = F.softplus(-score(pos)).mean() + F.softplus(score(neg)).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        window.append(loss)
        cache.put(step, z)
        if loss.item() < best:
            best, best_z = loss.item(), z
        if step % 75 == 74:
            mean = torch.stack(list(window)).mean().item()
            print(f"step {step + 1} loss {mean:.4f} drift {cache.drift():.4f} best {best:.4f}")
    print("best embedding norm", best_z.detach().norm().item())


if __name__ == "__main__":
    main()
