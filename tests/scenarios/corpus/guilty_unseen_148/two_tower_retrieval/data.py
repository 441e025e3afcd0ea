import torch


def interactions(n_users, n_items, batch, steps):
    taste = torch.randint(0, 20, (n_users,))
    for _ in range(steps):
        users = torch.randint(0, n_users, (batch,))
        items = (taste[users] * 300 + torch.randint(0, 300, (batch,))) % n_items
        yield users, items
