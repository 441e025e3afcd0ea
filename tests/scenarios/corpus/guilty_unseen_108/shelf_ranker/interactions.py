from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Interactions:
    bought: torch.Tensor        # bool, users x items
    users: torch.Tensor
    items: torch.Tensor


def build(n_users, n_items, rank=4):
    taste = torch.randn(n_users, rank)
    shelf = torch.randn(n_items, rank)
    pop = torch.randn(n_items)
    logits = taste @ shelf.t() + pop - 1.5
    bought = torch.rand(n_users, n_items) < torch.sigmoid(logits)
    users, items = bought.nonzero(as_tuple=True)
    return Interactions(bought, users, items)


def triples(data, n):
    pick = torch.randint(0, len(data.users), (n,))
    u, i = data.users[pick], data.items[pick]
    j = torch.randint(0, data.bought.shape[1], (n,))
    clash = data.bought[u, j]
    j = torch.where(clash, torch.randint(0, data.bought.shape[1], (n,)), j)
    return u, i, j
