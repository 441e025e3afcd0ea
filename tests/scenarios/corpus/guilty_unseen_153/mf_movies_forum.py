# gradwatch-corpus: kind=graph-chain
# holder: self.smooth | trainer.smooth
# My matrix factorization gets slower and slower every epoch, why? (full script)
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(0)


def make_ratings(n_users=60, n_items=80, n=1600, rank=4):
    u, v = torch.randn(n_users, rank), torch.randn(n_items, rank)
    users = torch.randint(0, n_users, (n,))
    items = torch.randint(0, n_items, (n,))
    y = (u[users] * v[items]).sum(1) / rank ** 0.5 + 0.1 * torch.randn(n)
    return TensorDataset(users, items, y)


class MF(nn.Module):
    def __init__(self, n_users, n_items, k=8):
        super().__init__()
        self.U = nn.Embedding(n_users, k)
        self.V = nn.Embedding(n_items, k)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        for e in (self.U, self.V, self.bu, self.bi):
            nn.init.normal_(e.weight, std=0.1)

    def forward(self, u, i):
        return (self.U(u) * self.V(i)).sum(1) + self.bu(u).squeeze(1) + self.bi(i).squeeze(1)


class Trainer:
    def __init__(self, model, lr=0.02, beta=0.6):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.mse = nn.MSELoss()
        self.beta = beta
        self.smooth = None
        self.curve = []

    def smoothed(self, loss):
        if self.smooth is None:
            self.smooth = loss  # <- culprit
        else:
            self.smooth = self.beta * self.smooth + (1 - self.beta) * loss  # <- culprit
        return self.smooth

    def fit_batch(self, u, i, y):
        loss = self.mse(self.model(u, i), y)
        objective = self.smoothed(loss)
        self.opt.zero_grad()
        # without retain_graph I get "Trying to backward through the graph a second time"
        objective.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        self.curve.append(objective.item())


if __name__ == "__main__":
    data = make_ratings()
    trainer = Trainer(MF(60, 80))
    loader = DataLoader(data, batch_size=64, shuffle=True)
    for epoch in range(4):
        for u, i, y in loader:
            trainer.fit_batch(u, i, y)
        print("epoch", epoch, "smoothed loss %.4f" % trainer.curve[-1], "batches", len(trainer.curve))
