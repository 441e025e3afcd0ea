import torch.nn as nn
import torch.nn.functional as F


class BPRMF(nn.Module):
    def __init__(self, num_users, num_items, dim, reg=1e-3):
        super().__init__()
        self.user = nn.Embedding(num_users, dim)
        self.item = nn.Embedding(num_items, dim)
        self.reg = reg
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)

    def forward(self, u, i, j):
        u, i, j = self.user(u), self.item(i), self.item(j)
        x_uij = (u * i).sum(-1) - (u * j).sum(-1)
        l2 = (u.pow(2) + i.pow(2) + j.pow(2)).sum(-1).mean()
        return -F.logsigmoid(x_uij).mean() + self.reg * l2
