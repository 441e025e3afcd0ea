import torch
from torch import nn
import torch.nn.functional as F

from .memory import RolloutMemory


class WorldModelAgent:
    def __init__(self, latent=12):
        self.encode = nn.Sequential(nn.Flatten(), nn.Linear(48 * 48, latent), nn.Tanh())
        self.core = nn.GRU(latent, 24, batch_first=True)
        self.predict = nn.Linear(24, latent)
        mods = nn.ModuleList([self.encode, self.core, self.predict])
        self.opt = torch.optim.Adam(mods.parameters(), lr=2e-3)
        self.memory = RolloutMemory()

    def fit(self, rollouts):
        z = torch.stack([self.encode(r[::4]) for r in rollouts])
        h, _ = self.core(z[:, :-1])
        loss = F.mse_loss(self.predict(h), z[:, 1:].detach())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
