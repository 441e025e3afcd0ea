# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Click model on categorical columns, with its own learning rate for the embeddings."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class ClickNet(nn.Module):
    def __init__(self, cards, dim=6, width=24):
        super().__init__()
        self.tables = nn.ModuleDict({k: nn.Embedding(n, dim) for k, n in cards.items()})
        self.dense = nn.Sequential(nn.Linear(dim * len(cards) + 1, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, row):
        parts = [table(row[k]) for k, table in self.tables.items()]
        return self.dense(torch.cat([*parts, row["price"]], 1)).squeeze(1)


def clicks(cards, n, gen):
    row = {k: torch.randint(0, c, (n,), generator=gen) for k, c in cards.items()}
    row["price"] = torch.randn(n, 1, generator=gen)
    score = (row["user"] % 5 - row["item"] % 4).float() - 0.7 * row["price"].squeeze(1)
    return row, (score + torch.randn(n, generator=gen) > 0).float()


def main():
    torch.manual_seed(4)
    gen = torch.Generator().manual_seed(4)
    cards = {"user": 60, "item": 40, "hour": 24}
    net = ClickNet(cards)
    opt = torch.optim.Adam([
        {"params": net.dense.parameters()},
        {"params": net.tables.parameters(), "lr": 1e-2},
    ], lr=2e-3)
    train = [clicks(cards, 128, gen) for _ in range(40)]
    for epoch in range(4):
        opt.zero_grad()  # <- culprit
        history = []
        for row, y in train:
            loss = F.binary_cross_entropy_with_logits(net(row), y)
            loss.backward()  # <- culprit
            opt.step()  # <- culprit
            history.append(loss.item())
        print(f"epoch {epoch} logloss {sum(history) / len(history):.4f}")
    row, y = clicks(cards, 2000, gen)
    with torch.no_grad():
        print("holdout", F.binary_cross_entropy_with_logits(net(row), y).item())


if __name__ == "__main__":
    main()
