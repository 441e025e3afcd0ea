import torch
from torch import nn


class SessionLog:
    def __init__(self, rows, users, items):
        self.user = torch.randint(0, users, (rows,))
        self.item = torch.randint(0, items, (rows,))
        u, i = torch.randn(users, 3), torch.randn(items, 3)
        aff = (u[self.user] * i[self.item]).sum(1)
        self.click = (aff + 0.5 * torch.randn(rows) > 0).float()
        self.dwell = torch.tanh(-0.5 * aff + i[self.item, 0]) + 0.1 * torch.randn(rows)

    def __len__(self):
        return len(self.user)

    def __getitem__(self, rows):
        return self.user[rows], self.item[rows], self.click[rows], self.dwell[rows]


class Ranker(nn.Module):
    def __init__(self, users, items, dim=8):
        super().__init__()
        self.user_tower = nn.Sequential(nn.Embedding(users, dim), nn.Linear(dim, dim), nn.ReLU())
        self.item_tower = nn.Sequential(nn.Embedding(items, dim), nn.Linear(dim, dim), nn.ReLU())
        self.click = nn.Linear(2 * dim, 1)
        self.dwell = nn.Linear(2 * dim, 1)
        self._seen = {}

    def begin_batch(self):
        self._seen.clear()

    def tower(self, kind, ids):
        net = self.user_tower if kind == "u" else self.item_tower
        ids, where = ids.unique(return_inverse=True)
        key = (kind, tuple(ids.tolist()))
        if key not in self._seen:
            self._seen[key] = net(ids)
        return self._seen[key][where]

    def joint(self, user, item):
        return torch.cat([self.tower("u", user), self.tower("i", item)], 1)

    def forward(self, user, item):
        return (
            self.click(self.joint(user, item)).squeeze(1),
            self.dwell(self.joint(user, item)).squeeze(1),
        )

    def shared(self):
        yield from self.user_tower.parameters()
        yield from self.item_tower.parameters()

    def heads(self):
        yield from self.click.parameters()
        yield from self.dwell.parameters()
