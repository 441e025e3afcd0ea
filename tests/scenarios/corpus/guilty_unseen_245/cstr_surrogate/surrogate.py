from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class ReactorState:
    concentration: torch.Tensor
    memory: torch.Tensor

    @classmethod
    def start(cls, n_tanks, n_species, width):
        return cls(torch.zeros(n_tanks, n_species), torch.zeros(n_tanks, width))


class ReactorCell(nn.Module):
    def __init__(self, n_species, width):
        super().__init__()
        self.n_species = n_species
        self.width = width
        self.gate = nn.Linear(2 * n_species + width, width)
        self.candidate = nn.Linear(2 * n_species + width, width)
        self.rate_head = nn.Linear(width, n_species)
        self.log_dilution = nn.Parameter(torch.tensor(-2.0))

    def forward(self, state, feed):
        joined = torch.cat([state.concentration, feed, state.memory], dim=1)
        z = torch.sigmoid(self.gate(joined))
        cand = torch.tanh(self.candidate(joined))
        memory = z * state.memory + (1 - z) * cand
        inflow = self.log_dilution.exp() * (feed - state.concentration)
        reaction = 0.1 * torch.tanh(self.rate_head(memory))
        concentration = state.concentration + inflow + reaction
        return ReactorState(concentration, memory)
