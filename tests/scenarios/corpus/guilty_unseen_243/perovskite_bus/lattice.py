import torch
from torch import nn


class Hop(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.message = nn.Linear(width, width)
        self.gate = nn.Linear(2 * width, width)

    def forward(self, site, bonds):
        heard = torch.bmm(bonds, torch.relu(self.message(site)))
        open_ = torch.sigmoid(self.gate(torch.cat([site, heard], dim=-1)))
        return open_ * site + (1 - open_) * torch.tanh(heard)


class LatticeNet(nn.Module):
    def __init__(self, species, width, hops):
        super().__init__()
        self.embed = nn.Embedding(species, width)
        self.hops = nn.ModuleList([Hop(width) for _ in range(hops)])
        self.readout = nn.Linear(width, 1)

    def forward(self, species, bonds):
        site = self.embed(species)
        for hop in self.hops:
            site = hop(site, bonds)
        return self.readout(site).mean(dim=1).squeeze(-1)
