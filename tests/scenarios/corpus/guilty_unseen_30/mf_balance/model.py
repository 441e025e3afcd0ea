import torch
from torch import nn


class TwoTaskMF(nn.Module):
    """Biased matrix factorisation; the click task has item vectors of its own."""

    def __init__(self, num_users, num_items, rank):
        super().__init__()
        self.user = nn.Embedding(num_users, rank)
        self.item = nn.Embedding(num_items, rank)
        self.item_click = nn.Embedding(num_items, rank)
        self.bias_u = nn.Embedding(num_users, 1)
        self.bias_i = nn.Embedding(num_items, 1)
        for emb in (self.user, self.item, self.item_click):
            nn.init.normal_(emb.weight, std=0.1)
        nn.init.zeros_(self.bias_u.weight)
        nn.init.zeros_(self.bias_i.weight)

    def forward(self, u, i):
        vec = self.user(u)
        base = (self.bias_u(u) + self.bias_i(i)).squeeze(-1)
        rating = 3.0 + base + (vec * self.item(i)).sum(-1)
        click = base + (vec * self.item_click(i)).sum(-1)
        return rating, click


def synthetic_events(num_users, num_items, count):
    g = torch.Generator().manual_seed(11)
    a = torch.randn(num_users, 4, generator=g)
    b = torch.randn(num_items, 4, generator=g)
    u = torch.randint(num_users, (count,), generator=g)
    i = torch.randint(num_items, (count,), generator=g)
    affinity = (a[u] * b[i]).sum(-1)
    stars = (3 + 0.6 * affinity + 0.2 * torch.randn(count, generator=g)).clamp(1, 5)
    clicked = (torch.rand(count, generator=g) < torch.sigmoid(affinity)).float()
    return u, i, stars, clicked
