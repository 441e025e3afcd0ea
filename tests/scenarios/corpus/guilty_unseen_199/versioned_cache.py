# gradwatch-corpus: kind=graph-held
# holder: self.table | cache.table | self.cache.table | model.cache.table
# first-bad: 1
"""Two-tower retrieval; item vectors are shared between the query batches of a step."""
import torch
from torch import nn
import torch.nn.functional as F

ITEMS, DIM = 120, 24


class VersionedCache:
    def __init__(self):
        self.version = 0
        self.table = {}
        self.stats = {"hit": 0, "miss": 0}

    def bump(self):
        self.version += 1
        self.stats = {"hit": 0, "miss": 0}

    def get(self, item, make):
        key = (item, self.version)
        if key not in self.table:
            self.stats["miss"] += 1
            self.table[key] = make(item)  # <- culprit
        else:
            self.stats["hit"] += 1
        return self.table[key]


class TwoTower(nn.Module):
    def __init__(self, item_feats, user_dim):
        super().__init__()
        self.register_buffer("item_feats", item_feats)
        self.items = nn.Sequential(nn.Linear(item_feats.shape[1], 32), nn.ReLU(), nn.Linear(32, DIM))
        self.users = nn.Sequential(nn.Linear(user_dim, 32), nn.ReLU(), nn.Linear(32, DIM))
        self.cache = VersionedCache()

    def item(self, i):
        return self.cache.get(i, lambda k: F.normalize(self.items(self.item_feats[k]), dim=0))

    def forward(self, users, candidates):
        vecs = torch.stack([self.item(i) for i in candidates.tolist()])
        return F.normalize(self.users(users), dim=1) @ vecs.t() / 0.1


class Clicks:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.feats = torch.randn(ITEMS, 10, generator=self.gen)
        self.taste = torch.randn(10, 7, generator=self.gen)
        self.popular = 1 / (torch.arange(ITEMS) + 3.0)

    def batch(self, n):
        item = torch.multinomial(self.popular, n, generator=self.gen)
        user = self.feats[item] @ self.taste + 0.5 * torch.randn(n, 7, generator=self.gen)
        return user, item


def main():
    torch.manual_seed(44)
    data = Clicks(45)
    model = TwoTower(data.feats, 7)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.03)
    for it in range(420):
        losses, right = [], []
        for _ in range(3):
            users, items = data.batch(10)
            scores = model(users, items)
            same = items[:, None] == items[None]
            losses.append(-(scores.log_softmax(1).masked_fill(~same, 0).sum(1) / same.sum(1)).mean())
            right.append(same.gather(1, scores.argmax(1, keepdim=True)).float().mean().item())
        loss = torch.stack(losses).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 70 == 69:
            print(it + 1, f"{loss.item():.3f}", sum(right) / 3, model.cache.stats)
        model.cache.bump()


if __name__ == "__main__":
    main()
