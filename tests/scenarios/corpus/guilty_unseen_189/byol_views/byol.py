import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


def encoder(n_in, hidden, n_out):
    return nn.Sequential(nn.Linear(n_in, hidden), nn.LayerNorm(hidden), nn.ReLU(),
                         nn.Linear(hidden, n_out))


def regression_loss(p, z):
    return 2 - 2 * F.cosine_similarity(p, z, dim=-1)


class BYOL(nn.Module):
    """Bootstrap your own latent; the target network lives as a dict of weights."""

    def __init__(self, online, proj_dim, momentum):
        super().__init__()
        self.online = online
        self.predictor = encoder(proj_dim, 32, proj_dim)
        self.momentum = momentum
        self.target = {n: p.detach().clone() for n, p in online.named_parameters()}

    def update_target(self):
        m = self.momentum
        for name, p in self.online.named_parameters():
            self.target[name] = self.target[name].lerp(p, 1 - m)  # <- culprit

    def project_target(self, v):
        return functional_call(self.online, self.target, (v,))

    def forward(self, v1, v2):
        p1, p2 = self.predictor(self.online(v1)), self.predictor(self.online(v2))
        z1, z2 = self.project_target(v1), self.project_target(v2)
        return (regression_loss(p1, z2) + regression_loss(p2, z1)).mean()
