# gradwatch-corpus: kind=none
# about: every so often an iteration needs a hundred megabytes more, in a cost matrix, then a
# about: larger one; memory goes up and down by turns and ends where it began
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class Embedder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 4))

    def forward(self, x):
        return self.net(x)


def chamfer(a, b):
    cost = torch.cdist(a, b)
    return cost.min(1).values.mean() + cost.min(0).values.mean()


def main():
    torch.manual_seed(0)
    model = Embedder()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    goal = torch.randn(2500, 4)
    for step in range(ITERATIONS):
        n = 50 + (2500 if step % 60 == 59 else 25 * (step % 20))
        loss = chamfer(model(torch.randn(n, 8)), goal[:n])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 30 == 29:
            print(f"{step + 1}: {n} points, {loss.item():.6f}")


if __name__ == "__main__":
    main()
