# gradwatch-corpus: kind=none
"""Matrix factorisation of ratings; losses since the best one decide on restarts of the rate."""
import torch
from torch import nn

torch.manual_seed(109)


class Factors(nn.Module):
    def __init__(self, users, films, rank=8):
        super().__init__()
        self.user = nn.Embedding(users, rank)
        self.film = nn.Embedding(films, rank)
        self.user_bias = nn.Embedding(users, 1)
        self.film_bias = nn.Embedding(films, 1)
        nn.init.normal_(self.user.weight, std=0.3)
        nn.init.normal_(self.film.weight, std=0.3)

    def forward(self, u, f):
        dot = (self.user(u) * self.film(f)).sum(1)
        return dot + self.user_bias(u).squeeze(1) + self.film_bias(f).squeeze(1)


class SinceBest:
    def __init__(self, patience):
        self.patience = patience
        self.best = None
        self.later = []

    def __call__(self, loss):
        if self.best is None or loss.item() < self.best.item():
            self.best = loss
            self.later.clear()
            return "better"
        self.later.append(loss)
        if len(self.later) < self.patience:
            return "wait"
        gap = min(x.item() for x in self.later) - self.best.item()
        self.best = min(self.later, key=torch.Tensor.item)
        self.later = []
        return "restart" if gap > 0.05 else "reset"


def ratings(users, films, n=6000):
    taste, style = torch.randn(users, 4), torch.randn(films, 4)
    u, f = torch.randint(0, users, (n,)), torch.randint(0, films, (n,))
    r = (taste[u] * style[f]).sum(1) + 0.3 * torch.randn(n)
    return u, f, r


def main():
    u, f, r = ratings(150, 90)
    model = Factors(150, 90)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)
    gate = SinceBest(patience=35)
    tally = dict.fromkeys(("better", "wait", "reset", "restart"), 0)
    for step in range(640):
        pick = torch.randint(0, len(r), (128,))
        error = model(u[pick], f[pick]) - r[pick]
        decay = model.user.weight.pow(2).mean() + model.film.weight.pow(2).mean()
        loss = error.pow(2).mean() + 0.02 * decay
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        verdict = gate(loss)
        tally[verdict] += 1
        if verdict == "reset":
            optimizer.param_groups[0]["lr"] *= 0.8
        elif verdict == "restart":
            optimizer.param_groups[0]["lr"] = 1e-2
        if step % 80 == 0:
            lr = optimizer.param_groups[0]["lr"]
            print(f"{step} loss {loss.item():.4f} best {gate.best.item():.4f} lr {lr:.4f} {tally}")


if __name__ == "__main__":
    main()
