# gradwatch-corpus: kind=graph-chain
# holder: self.epoch_loss | rec.epoch_loss
# first-bad: 1
import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

NUM_USERS = 2000
NUM_ITEMS = 3000
FACTORS = 32


class TripletDataset(Dataset):
    """(user, positive item, sampled negative item)"""

    def __init__(self, n_interactions=18000, seed=0):
        rng = np.random.RandomState(seed)
        self.users = rng.randint(0, NUM_USERS, n_interactions)
        base = (self.users * 7) % NUM_ITEMS
        self.items = (base + rng.geometric(0.02, n_interactions)) % NUM_ITEMS
        self.seen = {}
        for u, i in zip(self.users, self.items):
            self.seen.setdefault(u, set()).add(i)
        self.rng = rng

    def __len__(self):
        return len(self.users)

    def __getitem__(self, idx):
        u = self.users[idx]
        neg = self.rng.randint(NUM_ITEMS)
        while neg in self.seen[u]:
            neg = self.rng.randint(NUM_ITEMS)
        return int(u), int(self.items[idx]), int(neg)


class BPRMF(nn.Module):
    def __init__(self, n_users, n_items, k):
        super().__init__()
        self.user_factors = nn.Embedding(n_users, k)
        self.item_factors = nn.Embedding(n_items, k)
        self.item_bias = nn.Embedding(n_items, 1)
        nn.init.normal_(self.user_factors.weight, std=0.05)
        nn.init.normal_(self.item_factors.weight, std=0.05)
        nn.init.zeros_(self.item_bias.weight)

    def score(self, u, i):
        return (self.user_factors(u) * self.item_factors(i)).sum(-1) + self.item_bias(i).squeeze(-1)

    def forward(self, u, i, j):
        return self.score(u, i), self.score(u, j)

    def l2(self, u, i, j):
        return (self.user_factors(u).pow(2).sum()
                + self.item_factors(i).pow(2).sum()
                + self.item_factors(j).pow(2).sum()) / len(u)


class BPRRecommender:
    def __init__(self, lr=0.01, reg=1e-4, batch_size=256, epochs=2):
        self.model = BPRMF(NUM_USERS, NUM_ITEMS, FACTORS)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=lr)
        self.reg = reg
        self.batch_size = batch_size
        self.epochs = epochs
        self.epoch_loss = 0.0

    def bpr_loss(self, batch):
        u, i, j = batch
        pos, neg = self.model(u, i, j)
        loss = -torch.log(torch.sigmoid(pos - neg) + 1e-8).mean()
        return loss + self.reg * self.model.l2(u, i, j)

    def update(self, batch):
        self.opt.zero_grad()
        self.epoch_loss = self.epoch_loss + self.bpr_loss(batch)  # <- culprit
        self.epoch_loss.backward(retain_graph=True)
        self.opt.step()

    def fit(self, dataset):
        loader = DataLoader(dataset, batch_size=self.batch_size, shuffle=True)
        for epoch in range(self.epochs):
            self.epoch_loss = 0.0
            for batch in loader:
                self.update(batch)
            print("epoch %d  bpr loss %.4f  auc %.3f" % (
                epoch + 1, float(self.epoch_loss) / len(loader), self.auc(dataset)))

    @torch.no_grad()
    def auc(self, dataset, n=2000):
        idx = np.random.randint(len(dataset), size=n)
        u = torch.as_tensor(dataset.users[idx])
        i = torch.as_tensor(dataset.items[idx])
        j = torch.randint(NUM_ITEMS, (n,))
        pos, neg = self.model(u, i, j)
        return (pos > neg).float().mean().item()

    @torch.no_grad()
    def recommend(self, user, k=5):
        u = torch.full((NUM_ITEMS,), user, dtype=torch.long)
        return self.model.score(u, torch.arange(NUM_ITEMS)).topk(k).indices.tolist()


if __name__ == "__main__":
    torch.manual_seed(42)
    np.random.seed(42)
    rec = BPRRecommender()
    rec.fit(TripletDataset())
    for user in (1, 17, 256):
        print(user, rec.recommend(user))
