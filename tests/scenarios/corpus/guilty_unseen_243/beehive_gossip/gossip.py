import torch
from torch import nn


class GossipNet(nn.Module):
    def __init__(self, hive):
        super().__init__()
        self.intake = nn.Linear(hive["traits"], hive["width"])
        self.hearsay = nn.Linear(hive["width"], hive["width"])
        self.judge = nn.Linear(2 * hive["width"], 1)
        self.register_buffer("stale", torch.zeros(hive["bees"], hive["width"]))

    def forward(self, traits, contact, bees):
        own = torch.tanh(self.intake(traits[bees]))
        heard = contact[bees] @ self.hearsay(self.stale)
        logit = self.judge(torch.cat([own, torch.relu(heard)], dim=1)).squeeze(1)
        return logit, own

    @torch.no_grad()
    def refresh(self, bees, own):
        self.stale[bees] = own  # <- culprit
