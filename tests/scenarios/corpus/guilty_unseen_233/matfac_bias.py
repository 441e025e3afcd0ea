# gradwatch-corpus: kind=graph-chain
# holder: model.mu | self.mu
# first-bad: 1
# Biased matrix factorisation (Koren 2009), ratings made up
import torch
import torch.nn as nn


class BiasedMF(nn.Module):
    def __init__(self, n_users, n_items, k=12, momentum=0.9):
        super().__init__()
        self.P = nn.Embedding(n_users, k)
        self.Q = nn.Embedding(n_items, k)
        self.bu = nn.Embedding(n_users, 1)
        self.bi = nn.Embedding(n_items, 1)
        self.momentum = momentum
        self.mu = torch.tensor(3.0)
        for emb in (self.P, self.Q):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.bu, self.bi):
            nn.init.zeros_(emb.weight)

    def interaction(self, u, i):
        return (self.P(u) * self.Q(i)).sum(dim=1)

    def bias(self, u, i):
        return self.bu(u).squeeze(1) + self.bi(i).squeeze(1)

    def recenter(self, residual):
        # slow estimate of the global mean from what users and items leave over
        self.mu = self.momentum * self.mu + (1 - self.momentum) * residual.mean()  # <- culprit

    def forward(self, u, i, r=None):
        s = self.interaction(u, i) + self.bias(u, i)
        if r is not None and self.training:
            self.recenter(r - s)
        return self.mu + s


class Ratings:
    def __init__(self, n_users, n_items, seed):
        g = torch.Generator().manual_seed(seed)
        self.g = g
        self.n_users = n_users
        self.n_items = n_items
        self.pu = torch.randn(n_users, 3, generator=g)
        self.qi = torch.randn(n_items, 3, generator=g)

    def batch(self, n):
        u = torch.randint(self.n_users, (n,), generator=self.g)
        i = torch.randint(self.n_items, (n,), generator=self.g)
        noise = 0.2 * torch.randn(n, generator=self.g)
        r = 3.5 + (self.pu[u] * self.qi[i]).sum(1) * 0.4 + noise
        return u, i, r.clamp(1, 5)


def l2(model, u, i):
    return model.P(u).pow(2).mean() + model.Q(i).pow(2).mean()


torch.manual_seed(17)
data = Ratings(200, 150, seed=4)
model = BiasedMF(200, 150)
optimizer = torch.optim.SGD(model.parameters(), lr=2.0, momentum=0.5)
criterion = nn.MSELoss()

model.train()
for step in range(120):
    u, i, r = data.batch(256)
    r_hat = model(u, i, r)
    loss = criterion(r_hat, r) + 0.01 * l2(model, u, i)
    optimizer.zero_grad()
    loss.backward(retain_graph=True)  # <- culprit
    optimizer.step()
    if step % 30 == 0:
        print(f"step {step} rmse {loss.item() ** 0.5:.4f} mu {model.mu.item():.3f}")

model.eval()
with torch.no_grad():
    u, i, r = data.batch(2000)
    rmse = (model(u, i) - r).pow(2).mean().sqrt()
print("test rmse", round(rmse.item(), 4))
