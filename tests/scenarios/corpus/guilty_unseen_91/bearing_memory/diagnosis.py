import torch
from torch import nn

from episodic import KeyMemory


class DiagnosisNet(nn.Module):
    def __init__(self, width, dim, slots, n_faults):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(width, 32), nn.ELU(), nn.Linear(32, dim))
        self.memory = KeyMemory(slots, dim, n_faults)
        self.out = nn.Linear(dim + n_faults, n_faults)

    def forward(self, wave):
        query = nn.functional.normalize(self.encoder(wave), dim=1)
        votes, attn = self.memory.read(query)
        return self.out(torch.cat([query, votes], dim=1)), query
