"""Users who wander slowly between groups of items."""
import torch


class InteractionStream:
    def __init__(self, n_users, n_items, edge_dim, n_events, groups=4):
        gen = torch.Generator().manual_seed(3)
        self.n_events = n_events
        taste = torch.randint(0, groups, (n_users,), generator=gen)
        users, items = [], []
        per_group = n_items // groups
        for _ in range(n_events // 50):
            u = torch.randint(0, n_users, (50,), generator=gen)
            moved = torch.rand(n_users, generator=gen) < 0.004
            taste = torch.where(moved, (taste + 1) % groups, taste)
            i = taste[u] * per_group + torch.randint(0, per_group, (50,), generator=gen)
            users.append(u)
            items.append(i)
        self.user = torch.cat(users)
        self.item = torch.cat(items)
        proj = torch.randn(n_items, edge_dim, generator=gen)
        self.feat = proj[self.item] + 0.5 * torch.randn(len(self.item), edge_dim, generator=gen)

    def batches(self, size):
        for lo in range(0, self.n_events - size + 1, size):
            sl = slice(lo, lo + size)
            yield self.user[sl], self.item[sl], self.feat[sl]
