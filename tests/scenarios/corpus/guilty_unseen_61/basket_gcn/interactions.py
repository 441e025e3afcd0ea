"""A random bipartite graph, symmetrically normalised."""
import torch


class BasketGraph:
    def __init__(self, n_users, n_items, per_user):
        self.n_users, self.n_items = n_users, n_items
        self.bought = torch.stack([torch.randperm(n_items)[:per_user] for _ in range(n_users)])
        user = torch.arange(n_users).repeat_interleave(per_user)
        item = self.bought.flatten() + n_users
        rows, cols = torch.cat([user, item]), torch.cat([item, user])
        adj = torch.zeros(n_users + n_items, n_users + n_items)
        adj[rows, cols] = 1.0
        scale = adj.sum(1).clamp(min=1).rsqrt()
        self.adjacency = scale[:, None] * adj * scale[None, :]

    def sample(self, n):
        user = torch.randint(self.n_users, (n,))
        pos = self.bought[user, torch.randint(self.bought.size(1), (n,))]
        neg = torch.randint(self.n_items, (n,))
        return user, pos, neg
