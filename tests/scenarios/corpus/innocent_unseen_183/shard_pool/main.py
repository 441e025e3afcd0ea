# gradwatch-corpus: kind=none
"""Click-through model with threaded shard forward passes."""
import torch
from torch import nn

from workers import ShardRunner


class WideDeep(nn.Module):
    def __init__(self, n_features, dim=8):
        super().__init__()
        self.wide = nn.EmbeddingBag(n_features, 1, mode="sum")
        self.deep = nn.EmbeddingBag(n_features, dim, mode="mean")
        self.head = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, 1))

    def forward(self, ids):
        return (self.wide(ids) + self.head(self.deep(ids))).squeeze(1)


def clicks(gen, n_features, batch=64, per_row=6):
    ids = torch.randint(n_features, (batch, per_row), generator=gen)
    rate = torch.sigmoid((ids % 7 - 3).float().mean(1))
    return ids, (torch.rand(batch, generator=gen) < rate).float()


def main(steps=420):
    torch.manual_seed(17)
    gen = torch.Generator().manual_seed(17)
    model = WideDeep(500)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    with ShardRunner(model, nn.BCEWithLogitsLoss(), shards=2, backlog=16) as runner:
        for step in range(steps):
            ids, y = clicks(gen, 500)
            loss = runner.forward(ids, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            if step % 60 == 59:
                print(f"{step + 1} loss {loss.item():.4f} shard spread {runner.spread():.4f}")


if __name__ == "__main__":
    main()
