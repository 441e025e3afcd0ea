from dataclasses import dataclass

import torch


@dataclass
class Ratings:
    users: torch.Tensor
    items: torch.Tensor
    stars: torch.Tensor

    def sample(self, n):
        k = torch.randint(len(self.stars), (n,))
        return self.users[k], self.items[k], self.stars[k]


def make_ratings(n_users, n_items, n):
    p, q = torch.randn(n_users, 3), torch.randn(n_items, 3)
    u, i = torch.randint(n_users, (n,)), torch.randint(n_items, (n,))
    stars = (3.2 + 0.6 * (p[u] * q[i]).sum(-1) + 0.3 * torch.randn(n)).clamp(1, 5)
    cut = int(0.9 * n)
    return Ratings(u[:cut], i[:cut], stars[:cut]), Ratings(u[cut:], i[cut:], stars[cut:])
