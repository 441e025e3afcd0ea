import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(inplace=True), nn.Linear(h, o))


class EMAUpdater:
    def __init__(self, beta):
        self.beta = beta

    def __call__(self, old, new):
        return new if old is None else old * self.beta + (1 - self.beta) * new


def update_moving_average(updater, ma_model, model):
    for cur, ma in zip(model.parameters(), ma_model.parameters()):
        ma.data = updater(ma.data, cur.data)


class BYOL(nn.Module):
    def __init__(self, dim, rep=32, proj=16, beta=0.97):
        super().__init__()
        self.online_encoder = nn.Sequential(mlp(dim, 64, rep), mlp(rep, 64, proj))
        self.predictor = mlp(proj, 32, proj)
        self.target_encoder = None
        self.updater = EMAUpdater(beta)

    def _get_target(self):
        if self.target_encoder is None:
            self.target_encoder = copy.deepcopy(self.online_encoder)
            for p in self.target_encoder.parameters():
                p.requires_grad = False
        return self.target_encoder

    def update(self):
        update_moving_average(self.updater, self.target_encoder, self.online_encoder)

    def forward(self, a, b):
        p1, p2 = self.predictor(self.online_encoder(a)), self.predictor(self.online_encoder(b))
        with torch.no_grad():
            target = self._get_target()
            t1, t2 = target(a).detach(), target(b).detach()
        l1 = 2 - 2 * F.cosine_similarity(p1, t2)
        l2 = 2 - 2 * F.cosine_similarity(p2, t1)
        return (l1 + l2).mean()
