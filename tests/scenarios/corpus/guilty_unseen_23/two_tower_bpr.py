# gradwatch-corpus: kind=inplace-modified
# first-bad: 151
# also: retain-needless
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

rng = np.random.RandomState(5)
torch.manual_seed(5)


class Tower(nn.Module):
    def __init__(self, n, n_feats, dim=32):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.feat = nn.Linear(n_feats, dim)
        self.fc = nn.Linear(2 * dim, dim)

    def forward(self, ids, feats):
        h = torch.cat([self.emb(ids), torch.relu(self.feat(feats))], dim=-1)
        return F.normalize(self.fc(torch.relu(h)), dim=-1)


class Interactions:
    def __init__(self, n_users=1200, n_items=2500, n_rows=20000):
        self.n_users, self.n_items = n_users, n_items
        self.user_feats = torch.tensor(rng.randn(n_users, 10), dtype=torch.float32)
        self.item_feats = torch.tensor(rng.randn(n_items, 14), dtype=torch.float32)
        self.users = rng.randint(n_users, size=n_rows)
        self.items = (self.users * 2 + rng.poisson(15, size=n_rows)) % n_items

    def split(self, frac=0.9):
        cut = int(len(self.users) * frac)
        return (self.users[:cut], self.items[:cut]), (self.users[cut:], self.items[cut:])

    def batches(self, users, items, size):
        order = rng.permutation(len(users))
        for s in range(0, len(order) - size + 1, size):
            sel = order[s:s + size]
            neg = rng.randint(self.n_items, size=size)
            yield tuple(torch.as_tensor(a) for a in (users[sel], items[sel], neg))


class TwoTowerTrainer:
    def __init__(self, data, temperature=0.1, contrastive_from=3):
        self.data = data
        self.users = Tower(data.n_users, 10)
        self.items = Tower(data.n_items, 14)
        self.opt_rank = torch.optim.Adam(
            list(self.users.parameters()) + list(self.items.parameters()), lr=2e-3)
        self.opt_user = torch.optim.Adam(self.users.parameters(), lr=5e-4)
        self.temperature = temperature
        self.contrastive_from = contrastive_from

    def encode_user(self, u):
        return self.users(u, self.data.user_feats[u])

    def encode_item(self, i):
        return self.items(i, self.data.item_feats[i])

    def losses(self, u, i, j):
        zu, zi, zj = self.encode_user(u), self.encode_item(i), self.encode_item(j)
        x_uij = ((zu * zi).sum(-1) - (zu * zj).sum(-1)) / self.temperature
        rank = -F.logsigmoid(x_uij).mean()
        logits = zu @ zi.t() / self.temperature
        info = F.cross_entropy(logits, torch.arange(len(u)))
        return rank, info

    def train_batch(self, batch, contrastive):
        rank, info = self.losses(*batch)
        self.opt_rank.zero_grad()
        rank.backward(retain_graph=True)
        self.opt_rank.step()  # <- culprit
        if contrastive:
            self.opt_user.zero_grad()
            (0.1 * info).backward()  # <- culprit
            self.opt_user.step()
        return rank.item(), info.item()

    def hit_rate(self, users, items, k=50, n=500):
        with torch.no_grad():
            u = torch.as_tensor(users[:n])
            all_items = self.encode_item(torch.arange(self.data.n_items))
            top = (self.encode_user(u) @ all_items.t()).topk(k).indices
        return (top == torch.as_tensor(items[:n])[:, None]).any(1).float().mean().item()

    def fit(self, epochs=6, batch_size=360):
        train, test = self.data.split()
        for epoch in range(epochs):
            stats = []
            for batch in self.data.batches(*train, batch_size):
                stats.append(self.train_batch(batch, epoch >= self.contrastive_from))
            rank, info = np.mean(stats, axis=0)
            print("epoch %d bpr %.4f info-nce %.4f hit@50 %.3f" % (epoch, rank, info, self.hit_rate(*test)))


if __name__ == "__main__":
    TwoTowerTrainer(Interactions()).fit()
