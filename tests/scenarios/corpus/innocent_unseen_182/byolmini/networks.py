import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(a, h, b):
    return nn.Sequential(nn.Linear(a, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, b))


class BYOL(nn.Module):
    def __init__(self, n_in, dim, tau=0.02):
        super().__init__()
        self.online = mlp(n_in, 48, dim)
        self.predictor = mlp(dim, 32, dim)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad_(False)
        self.tau = tau

    def online_parameters(self):
        return [*self.online.parameters(), *self.predictor.parameters()]

    def forward(self, a, b):
        za, zb = self.online(a), self.online(b)
        ta, tb = self.target(a), self.target(b)
        loss = 2 - F.cosine_similarity(self.predictor(za), tb).mean() \
                 - F.cosine_similarity(self.predictor(zb), ta).mean()
        return loss, za

    @torch.no_grad()
    def update_target(self):
        for q, p in zip(self.target.parameters(), self.online.parameters()):
            q.copy_((1 - self.tau) * q + self.tau * p)
