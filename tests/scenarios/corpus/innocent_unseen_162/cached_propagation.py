# gradwatch-corpus: kind=none
"""Recommender on a graph: propagated embeddings are computed once and used for several mini-batches before each update."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(50)
USERS, ITEMS, DIM = 60, 90, 16


class LightGCN(nn.Module):
    def __init__(self, adj, layers=3):
        super().__init__()
        self.emb = nn.Parameter(0.1 * torch.randn(USERS + ITEMS, DIM))
        self.mix = nn.ModuleList(nn.Linear(DIM, DIM) for _ in range(layers))
        self.register_buffer("adj", adj)
        self._cache = None
        self.hits = self.misses = 0

    @property
    def table(self):
        if self._cache is None:
            self.misses += 1
            h, acc = self.emb, [self.emb]
            for lin in self.mix:
                h = torch.tanh(lin(self.adj @ h))
                acc.append(h)
            self._cache = torch.stack(acc).mean(0)
        else:
            self.hits += 1
        return self._cache

    def invalidate(self):
        self._cache = None

    def score(self, u, i):
        t = self.table
        return (t[u] * t[USERS + i]).sum(-1)


def interactions():
    taste_u, taste_i = torch.randn(USERS, 4), torch.randn(ITEMS, 4)
    return (taste_u @ taste_i.T) > 1.8


def normalised(mat):
    a = torch.zeros(USERS + ITEMS, USERS + ITEMS)
    a[:USERS, USERS:] = mat.float()
    a = a + a.T
    d = a.sum(1).clamp(min=1).rsqrt()
    return d[:, None] * a * d[None]


liked = interactions()
pairs = liked.nonzero()
model = LightGCN(normalised(liked))
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
REFRESH = 5
bpr_log = []
opt.zero_grad()
for it in range(400):
    idx = torch.randint(len(pairs), (64,))
    u, pos = pairs[idx].T
    neg = torch.randint(0, ITEMS, (64,))
    margin = model.score(u, pos) - model.score(u, neg)
    loss = -F.logsigmoid(margin).mean() / REFRESH
    last = (it + 1) % REFRESH == 0
    loss.backward(retain_graph=not last)
    bpr_log.append(REFRESH * loss.detach())
    if last:
        opt.step()
        opt.zero_grad()
        model.invalidate()
    if it % 50 == 0:
        print(f"{it:4d} bpr {torch.stack(bpr_log[-50:]).mean():.4f} hits {model.hits} misses {model.misses}")
