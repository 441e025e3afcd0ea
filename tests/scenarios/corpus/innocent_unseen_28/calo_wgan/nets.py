import torch
import torch.nn as nn
import torch.nn.functional as F


class ShowerGenerator(nn.Module):
    def __init__(self, latent, width=64, cells=8 * 8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(latent + 1, width), nn.LeakyReLU(0.2),
                                  nn.Linear(width, width), nn.LeakyReLU(0.2), nn.Linear(width, cells))

    def forward(self, z, energy):
        share = F.softmax(self.body(torch.cat([z, energy], 1)), 1)
        return energy * share


class Critic(nn.Module):
    def __init__(self, width=64, cells=8 * 8):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cells + 1, width), nn.Softplus(),
                                  nn.Linear(width, width), nn.Softplus(), nn.Linear(width, 1))

    def forward(self, cells, energy):
        return self.body(torch.cat([cells, energy], 1)).squeeze(1)
