# gradwatch-corpus: kind=none
"""Two-tower retrieval with recent item vectors as extra negatives."""
import torch
import torch.nn.functional as F

from cache import RecentItems
from towers import Tower


def clicks(gen, n_users, n_items, taste, item_f, batch):
    users = torch.randint(0, n_users, (batch,), generator=gen)
    logits = taste[users] @ item_f.T
    return users, torch.multinomial(logits.softmax(1), 1, generator=gen).squeeze(1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(50)
    gen = torch.Generator().manual_seed(51)
    n_users, n_items = 90, 160
    taste, item_f = torch.randn(n_users, 6, generator=gen), torch.randn(n_items, 6, generator=gen)
    user_tower, item_tower = Tower(n_users, 16), Tower(n_items, 16)
    opt = torch.optim.Adam([*user_tower.parameters(), *item_tower.parameters()], lr=5e-3)
    recent = RecentItems(capacity=96, max_age=14)

    for step in range(420):
        users, items = clicks(gen, n_users, n_items, taste, item_f, batch=10)
        u, v = user_tower(users), item_tower(items)
        negatives = recent.negatives(exclude=items.tolist(), like=v)
        scores = torch.cat([u @ v.T, u @ negatives.T], dim=1) / 0.2
        loss = F.cross_entropy(scores, torch.arange(len(users)))
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent.update(step, items.tolist(), v)
        if step % 70 == 69:
            print(f"{step + 1} loss {loss.item():.3f} pool {len(recent)} drift {recent.drift(item_tower):.4f}")


if __name__ == "__main__":
    main()
