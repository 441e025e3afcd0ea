import torch


class InteractionData:
    def __init__(self, n_users, n_items, density, seed):
        self.n_users, self.n_items = n_users, n_items
        self.g = torch.Generator().manual_seed(seed)
        u_f = torch.randn(n_users, 4, generator=self.g)
        i_f = torch.randn(n_items, 4, generator=self.g)
        score = u_f @ i_f.T
        k = int(density * n_items)
        top = score.topk(k, dim=1).indices
        self.users = torch.arange(n_users).repeat_interleave(k)
        self.items = top.reshape(-1)

    def norm_adj(self):
        n = self.n_users + self.n_items
        a = torch.zeros(n, n)
        a[self.users, self.items + self.n_users] = 1
        a = a + a.T
        d = a.sum(1).clamp(min=1).rsqrt()
        return d[:, None] * a * d[None]

    def triplets(self, n):
        idx = torch.randint(0, len(self.users), (n,), generator=self.g)
        neg = torch.randint(0, self.n_items, (n,), generator=self.g)
        return self.users[idx], self.items[idx], neg
