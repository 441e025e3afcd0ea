import math

import torch
from torch import nn


class LennardJones(nn.Module):
    def __init__(self, epsilon, sigma):
        super().__init__()
        self.log_eps = nn.Parameter(torch.tensor(math.log(epsilon)))
        self.log_sig = nn.Parameter(torch.tensor(math.log(sigma)))

    def values(self):
        return self.log_eps.exp().item(), self.log_sig.exp().item()

    def forces(self, pos):
        eps, sig = self.log_eps.exp(), self.log_sig.exp()
        rij = pos[:, None] - pos[None]
        eye = torch.eye(pos.shape[0])
        r2 = (rij ** 2).sum(-1) + eye
        s6 = (sig ** 2 / r2) ** 3
        mag = 24 * eps * (2 * s6 ** 2 - s6) / r2 * (1 - eye)
        return (mag[..., None] * rij).sum(1)
