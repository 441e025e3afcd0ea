# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | trainer.smoothed
# first-bad: 1
# notice: 5
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(5)
rng = np.random.default_rng(5)

USERS, ITEMS = 60, 90


class MatrixFactorization(nn.Module):
    def __init__(self, users, items, dim=8):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.user_bias = nn.Embedding(users, 1)
        self.item_bias = nn.Embedding(items, 1)
        self.mu = nn.Parameter(torch.tensor(3.0))
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.item_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, u, i):
        dot = (self.user(u) * self.item(i)).sum(-1)
        return dot + self.user_bias(u).squeeze(-1) + self.item_bias(i).squeeze(-1) + self.mu


def ratings(n):
    u = rng.integers(0, USERS, n)
    i = rng.integers(0, ITEMS, n)
    r = np.clip(3 + 0.8 * np.sin(u / 7.0) + 0.6 * np.cos(i / 9.0) + rng.normal(0, 0.3, n), 1, 5)
    return torch.from_numpy(u), torch.from_numpy(i), torch.from_numpy(r).float()


class Trainer:
    def __init__(self, model, lr=0.05, momentum=0.8, batch_size=32):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.momentum = momentum
        self.batch_size = batch_size
        self.smoothed = None
        self.history = []

    def batch_loss(self, u, i, r):
        return F.mse_loss(self.model(u, i), r)

    def step(self, u, i, r):
        loss = self.batch_loss(u, i, r)
        if self.smoothed is None:
            self.smoothed = loss
        else:
            self.smoothed = self.momentum * self.smoothed + (1 - self.momentum) * loss  # <- culprit
        self.optimizer.zero_grad()
        self.smoothed.backward(retain_graph=True)
        self.optimizer.step()
        return loss.item()

    def fit(self, data, epochs):
        u, i, r = data
        for epoch in range(epochs):
            order = torch.randperm(len(u))
            losses = []
            for k in range(0, len(u), self.batch_size):
                b = order[k:k + self.batch_size]
                losses.append(self.step(u[b], i[b], r[b]))
            self.history.append(float(np.mean(losses)))
            print(f"epoch {epoch} mse {self.history[-1]:.4f} smoothed {self.smoothed.item():.4f}")

    @torch.no_grad()
    def rmse(self, data):
        u, i, r = data
        return F.mse_loss(self.model(u, i), r).sqrt().item()


def main():
    train, test = ratings(960), ratings(300)
    trainer = Trainer(MatrixFactorization(USERS, ITEMS))
    trainer.fit(train, epochs=3)
    print("test rmse", trainer.rmse(test))


if __name__ == "__main__":
    main()
