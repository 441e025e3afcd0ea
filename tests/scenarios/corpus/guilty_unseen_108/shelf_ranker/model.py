import torch
from torch import nn
from torch.nn import functional as F


class ShelfModel(nn.Module):
    def __init__(self, n_users, n_items, dim):
        super().__init__()
        self.user = nn.Embedding(n_users, dim)
        self.item = nn.Embedding(n_items, dim)
        self.item_bias = nn.Parameter(torch.zeros(n_items))
        nn.init.normal_(self.user.weight, std=0.1)
        nn.init.normal_(self.item.weight, std=0.1)

    def score(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.item_bias[i]

    def bpr(self, u, i, j):
        return -F.logsigmoid(self.score(u, i) - self.score(u, j)).mean()

    @torch.no_grad()
    def auc(self, data):
        s = self.user.weight @ self.item.weight.t() + self.item_bias
        pos = s[data.bought]
        neg = s[~data.bought]
        a = pos[torch.randint(0, len(pos), (4000,))]
        b = neg[torch.randint(0, len(neg), (4000,))]
        return (a > b).float().mean().item()
