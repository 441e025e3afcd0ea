# gradwatch-corpus: kind=graph-held
# holder: self.profiles | self.cache.profiles | cache.profiles | self.on_user_vectors.profiles | recent.profiles
# first-bad: 1
# notice: 8
"""Two-tower recommender trained with BPR; users are described by their click history."""
import random
from collections import Counter

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(5)
random.seed(5)
torch.set_num_threads(1)

N_USERS, N_ITEMS, HIST = 3000, 400, 8


class Interactions:
    """Users belong to one of 10 tastes and mostly click items of that taste."""

    def __init__(self):
        self.taste = [random.randrange(10) for _ in range(N_USERS)]
        self.clicks = [[self._click(t) for _ in range(HIST + 2)] for t in self.taste]

    def _click(self, taste):
        if random.random() < 0.8:
            return random.randrange(N_ITEMS // 10) * 10 + taste
        return random.randrange(N_ITEMS)

    def triples(self, batch_size):
        users = list(range(N_USERS))
        random.shuffle(users)
        for k in range(0, N_USERS - batch_size + 1, batch_size):
            u = users[k:k + batch_size]
            hist = torch.tensor([self.clicks[i][:HIST] for i in u])
            pos = torch.tensor([self.clicks[i][HIST] for i in u])
            neg = torch.randint(0, N_ITEMS, (batch_size,))
            yield u, hist, pos, neg


class ItemTower(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.emb = nn.Embedding(N_ITEMS, dim)
        self.bias = nn.Embedding(N_ITEMS, 1)
        nn.init.normal_(self.emb.weight, std=0.1)
        nn.init.zeros_(self.bias.weight)

    def forward(self, ids):
        return self.emb(ids), self.bias(ids).squeeze(-1)


class UserTower(nn.Module):
    def __init__(self, items, dim):
        super().__init__()
        self.items = items
        self.query = nn.Parameter(torch.randn(dim) * 0.1)
        self.mlp = nn.Sequential(nn.Linear(dim, dim), nn.ReLU(), nn.Linear(dim, dim))

    def forward(self, hist):
        e, _ = self.items(hist)
        att = torch.softmax(e @ self.query, dim=1)
        return self.mlp((att.unsqueeze(-1) * e).sum(1))


class ProfileCache:
    """Latest profile of every user, so that serving need not run the user tower."""

    def __init__(self):
        self.profiles = {}
        self.hits = Counter()

    def __call__(self, user_ids, vectors):
        for uid, vec in zip(user_ids, vectors):
            self.profiles[uid] = vec  # <- culprit
            self.hits[uid] += 1

    @torch.no_grad()
    def matrix(self):
        ids = sorted(self.profiles)
        return ids, torch.stack([self.profiles[i] for i in ids])


class BPRTrainer:
    def __init__(self, data, dim=16, lr=5e-3, on_user_vectors=None):
        self.data = data
        self.items = ItemTower(dim)
        self.users = UserTower(self.items, dim)
        self.opt = torch.optim.Adam(list(self.users.parameters()), lr=lr)
        self.on_user_vectors = on_user_vectors
        self.best, self.log = float("inf"), []

    def bpr(self, u, pos, neg):
        (pe, pb), (ne, nb) = self.items(pos), self.items(neg)
        diff = (u * (pe - ne)).sum(-1) + pb - nb
        reg = u.pow(2).sum(-1).mean() + pe.pow(2).sum(-1).mean() + ne.pow(2).sum(-1).mean()
        return -F.logsigmoid(diff).mean() + 1e-3 * reg

    def epoch(self, batch_size):
        running = 0.0
        for n, (ids, hist, pos, neg) in enumerate(self.data.triples(batch_size), 1):
            u = self.users(hist)
            loss = self.bpr(u, pos, neg)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            running += loss.item()
            if self.on_user_vectors is not None:
                self.on_user_vectors(ids, u)  # <- culprit
            if n % 25 == 0:
                print(f"  batch {n:3d}  bpr {running / n:.4f}")
        self.log.append(running / n)
        self.best = min(self.best, self.log[-1])

    @torch.no_grad()
    def recall(self, ids, vectors, k=20):
        e, b = self.items(torch.arange(N_ITEMS))
        top = (vectors @ e.t() + b).topk(k, dim=1).indices.tolist()
        hit = sum(self.data.clicks[i][HIST + 1] in row for i, row in zip(ids, top))
        return hit / len(ids)


if __name__ == "__main__":
    cache = ProfileCache()
    trainer = BPRTrainer(Interactions(), on_user_vectors=cache)
    for ep in range(2):
        trainer.epoch(batch_size=30)
        ids, mat = cache.matrix()
        print(f"epoch {ep}  loss {trainer.log[-1]:.4f}  recall@20 {trainer.recall(ids, mat):.3f}  users {len(ids)}")
