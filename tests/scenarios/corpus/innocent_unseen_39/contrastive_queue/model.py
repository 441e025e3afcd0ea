import copy

import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, n_in, dim=16):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_in, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.proj = nn.Linear(32, dim)

    def forward(self, x):
        return F.normalize(self.proj(self.body(x)), dim=1)


class MomentumPair(nn.Module):
    def __init__(self, encoder, m=0.98):
        super().__init__()
        self.online = encoder
        self.key = copy.deepcopy(encoder)
        self.m = m
        for p in self.key.parameters():
            p.requires_grad = False

    def momentum_update(self):
        for p_q, p_k in zip(self.online.parameters(), self.key.parameters()):
            p_k.data = p_k.data * self.m + p_q.data * (1.0 - self.m)

    def forward(self, v1, v2):
        return self.online(v1), self.key(v2)
