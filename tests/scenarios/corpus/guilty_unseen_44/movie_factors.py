# gradwatch-corpus: kind=graph-chain
# holder: total_loss
# first-bad: 1
"""Matrix factorisation of star ratings."""
import random

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

USERS, FILMS, RANK = 120, 90, 8


def synthetic_ratings(n=5120, seed=21):
    g = torch.Generator().manual_seed(seed)
    u_true = torch.randn(USERS, 4, generator=g)
    f_true = torch.randn(FILMS, 4, generator=g)
    u = torch.randint(USERS, (n,), generator=g)
    f = torch.randint(FILMS, (n,), generator=g)
    stars = 3 + 0.5 * (u_true[u] * f_true[f]).sum(1) + 0.2 * torch.randn(n, generator=g)
    return u, f, stars.clamp(1, 5)


class Factors(nn.Module):
    def __init__(self, users, films, rank):
        super().__init__()
        self.user = nn.Embedding(users, rank)
        self.film = nn.Embedding(films, rank)
        self.user_bias = nn.Embedding(users, 1)
        self.film_bias = nn.Embedding(films, 1)
        self.mean = nn.Parameter(torch.tensor(3.0))
        for emb in (self.user, self.film):
            nn.init.normal_(emb.weight, std=0.1)
        for emb in (self.user_bias, self.film_bias):
            nn.init.zeros_(emb.weight)

    def forward(self, u, f):
        dot = (self.user(u) * self.film(f)).sum(dim=1)
        return self.mean + self.user_bias(u).squeeze(1) + self.film_bias(f).squeeze(1) + dot


def rmse(model, u, f, stars):
    with torch.inference_mode():
        return (model(u, f) - stars).pow(2).mean().sqrt().item()


def train(model, loader, held_out, epochs=3, lr=2e-3):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    criterion = nn.MSELoss()
    for epoch in range(1, epochs + 1):
        total_loss = 0
        for u, f, stars in loader:
            optimizer.zero_grad()
            loss = criterion(model(u, f), stars)
            total_loss += loss  # <- culprit
            total_loss.backward(retain_graph=True)  # <- culprit
            optimizer.step()
        print(
            f"epoch {epoch}/{epochs}",
            f"train mse {total_loss.item() / len(loader):.4f}",
            f"held-out rmse {rmse(model, *held_out):.4f}",
        )


def main():
    random.seed(0)
    torch.manual_seed(0)
    u, f, stars = synthetic_ratings()
    cut = 4800
    loader = DataLoader(
        TensorDataset(u[:cut], f[:cut], stars[:cut]),
        batch_size=120,
        shuffle=True,
    )
    held_out = (u[cut:], f[cut:], stars[cut:])
    model = Factors(USERS, FILMS, RANK)
    print(f"{cut} ratings, start rmse {rmse(model, *held_out):.4f}")
    train(model, loader, held_out)
    best = model.film_bias.weight.detach().squeeze(1).topk(3).indices.tolist()
    print("best liked films:", best)


if __name__ == "__main__":
    main()
