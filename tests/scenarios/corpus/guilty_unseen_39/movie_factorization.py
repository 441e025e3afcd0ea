# gradwatch-corpus: kind=graph-chain
# holder: epoch_loss
# first-bad: 1
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

N_USERS, N_MOVIES, N_FACTORS = 300, 180, 16
BATCH_SIZE = 128
EPOCHS = 2


def fake_ratings(n=5800, seed=7):
    rng = np.random.RandomState(seed)
    U = rng.normal(size=(N_USERS, 4))
    M = rng.normal(size=(N_MOVIES, 4))
    u = rng.randint(0, N_USERS, size=n)
    m = rng.randint(0, N_MOVIES, size=n)
    r = 3.2 + 0.5 * (U[u] * M[m]).sum(1) + 0.2 * rng.normal(size=n)
    return u, m, np.clip(r, 0.5, 5.0).astype(np.float32)


class RatingsDataset(Dataset):
    def __init__(self, users, movies, ratings):
        self.users = torch.LongTensor(users)
        self.movies = torch.LongTensor(movies)
        self.ratings = torch.from_numpy(ratings)

    def __len__(self):
        return len(self.ratings)

    def __getitem__(self, idx):
        return self.users[idx], self.movies[idx], self.ratings[idx]


class MatrixFactorization(nn.Module):
    def __init__(self, n_users, n_items, k):
        super().__init__()
        self.user_emb = nn.Embedding(n_users, k)
        self.item_emb = nn.Embedding(n_items, k)
        self.user_bias = nn.Embedding(n_users, 1)
        self.item_bias = nn.Embedding(n_items, 1)
        self.mu = nn.Parameter(torch.tensor([3.0]))
        for emb in (self.user_emb, self.item_emb):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, u, i):
        dot = (self.user_emb(u) * self.item_emb(i)).sum(1)
        return dot + self.user_bias(u).squeeze(1) + self.item_bias(i).squeeze(1) + self.mu


def rmse(model, loader):
    model.eval()
    se, n = 0.0, 0
    with torch.no_grad():
        for u, m, r in loader:
            se += ((model(u, m) - r) ** 2).sum().item()
            n += len(r)
    model.train()
    return (se / n) ** 0.5


def train_epoch(model, loader, criterion, optimizer):
    epoch_loss = 0
    for batch_idx, (u, m, r) in enumerate(loader):
        optimizer.zero_grad()
        pred = model(u, m)
        loss = criterion(pred, r)
        epoch_loss += loss  # <- culprit
        epoch_loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        if batch_idx % 15 == 0:
            print("   batch {:3d}/{}  loss {:.4f}".format(batch_idx, len(loader), loss.item()))
    return epoch_loss.item() / len(loader)


if __name__ == "__main__":
    torch.manual_seed(0)
    u, m, r = fake_ratings()
    split = 5000
    train_dl = DataLoader(RatingsDataset(u[:split], m[:split], r[:split]), BATCH_SIZE, shuffle=True)
    test_dl = DataLoader(RatingsDataset(u[split:], m[split:], r[split:]), BATCH_SIZE)

    model = MatrixFactorization(N_USERS, N_MOVIES, N_FACTORS)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    criterion = nn.MSELoss()

    for epoch in range(EPOCHS):
        tr = train_epoch(model, train_dl, criterion, optimizer)
        print("Epoch {} | train mse {:.4f} | test rmse {:.4f}".format(epoch + 1, tr, rmse(model, test_dl)))
