import torch


class InteractionGraph:
    def __init__(self, users, items, per_user):
        self.n_users, self.n_items = users, items
        taste = torch.randn(users, 4) @ torch.randn(4, items)
        self.pos = taste.topk(per_user, dim=1).indices
        n = users + items
        a = torch.zeros(n, n)
        u = torch.arange(users).repeat_interleave(per_user)
        a[u, users + self.pos.flatten()] = 1
        a = a + a.t()
        d = a.sum(1).clamp(min=1).rsqrt()
        self.norm_adj = d[:, None] * a * d[None, :]


class BPRBatches:
    def __init__(self, graph, size, n):
        self.g, self.size, self.n = graph, size, n

    def __iter__(self):
        for _ in range(self.n):
            u = torch.randint(0, self.g.n_users, (self.size,))
            k = torch.randint(0, self.g.pos.size(1), (self.size,))
            yield u, self.g.pos[u, k], torch.randint(0, self.g.n_items, (self.size,))
