# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""Two-tower retrieval with in-batch negatives and micro-batch accumulation."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Args:
    users: int = 300
    items: int = 200
    dim: int = 16
    micro: int = 3
    micro_size: int = 24
    updates: int = 450
    tau: float = 0.15


class Tower(nn.Module):
    def __init__(self, n, dim, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(n, dim)
        self.ff = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), nn.Linear(hidden, dim))

    def forward(self, ids):
        e = self.emb(ids)
        return F.normalize(e + self.ff(e), dim=-1)


def interactions(a, gen):
    taste = torch.randn(a.users, 4, generator=gen)
    genre = torch.randn(a.items, 4, generator=gen)
    top = (taste @ genre.T).topk(8, dim=1).indices
    u = torch.arange(a.users).repeat_interleave(8)
    return torch.stack([u, top.reshape(-1)], 1)


def info_nce(u, v, pos_items, tau):
    logits = u @ v.T / tau
    same = pos_items[:, None] == pos_items[None, :]
    same.fill_diagonal_(False)
    logits = logits.masked_fill(same, -1e4)
    return F.cross_entropy(logits, torch.arange(len(u)))


@torch.no_grad()
def hit_rate(users, items, pairs, k=10):
    scores = users(pairs[:, 0]) @ items(torch.arange(items.emb.num_embeddings)).T
    return (scores.topk(k, 1).indices == pairs[:, 1:]).any(1).float().mean().item()


def main():
    a = Args()
    torch.manual_seed(88)
    gen = torch.Generator().manual_seed(88)
    pairs = interactions(a, gen)
    held = torch.rand(len(pairs), generator=gen) < 0.1
    train_pairs, test_pairs = pairs[~held], pairs[held]
    users, items = Tower(a.users, a.dim), Tower(a.items, a.dim)
    params = [*users.parameters(), *items.parameters()]
    opt = torch.optim.Adagrad(params, lr=0.05)

    for update in range(a.updates):
        opt.zero_grad()
        total = 0.0
        for _ in range(a.micro):
            rows = train_pairs[torch.randint(0, len(train_pairs), (a.micro_size,), generator=gen)]
            loss = info_nce(users(rows[:, 0]), items(rows[:, 1]), rows[:, 1], a.tau)
            (loss / a.micro).backward(retain_graph=True)  # <- culprit
            total += loss.item() / a.micro
        opt.step()
        if update % 90 == 0:
            print(f"update {update} loss {total:.3f} HR@10 {hit_rate(users, items, test_pairs):.3f}")


if __name__ == "__main__":
    main()
