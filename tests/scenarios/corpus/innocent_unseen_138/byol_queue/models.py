import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))


class Siamese(nn.Module):
    def __init__(self, n_bins, dim, queue, tau=0.15):
        super().__init__()
        self.online = mlp(n_bins, 32, dim)
        self.predictor = mlp(dim, 16, dim)
        self.target = copy.deepcopy(self.online)
        for p in self.target.parameters():
            p.requires_grad = False
        self.tau = tau
        self.register_buffer("queue", F.normalize(torch.randn(queue, dim), dim=1))
        self.register_buffer("ptr", torch.zeros((), dtype=torch.long))

    def online_parameters(self):
        return list(self.online.parameters()) + list(self.predictor.parameters())

    def nearest(self, z):
        return self.queue[(z @ self.queue.t()).argmax(1)]

    def enqueue(self, z):
        n, p = len(z), int(self.ptr)
        self.queue[(torch.arange(n) + p) % len(self.queue)] = z
        self.ptr.fill_((p + n) % len(self.queue))

    def loss(self, a, b):
        p = F.normalize(self.predictor(self.online(a)), dim=1)
        z = F.normalize(self.target(b), dim=1)
        nn_z = self.nearest(z)
        logits = p @ nn_z.t() / self.tau
        self.enqueue(z)
        return F.cross_entropy(logits, torch.arange(len(a)))

    @torch.no_grad()
    def update_target(self, m):
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.data.mul_(m).add_(o.data, alpha=1 - m)
