import torch
import torch.nn.functional as F
from torch import nn

from assay import RESIDUES


class SequenceDesigner(nn.Module):
    def __init__(self, latent, length, width):
        super().__init__()
        self.latent, self.length = latent, length
        self.net = nn.Sequential(nn.Linear(latent, width), nn.ReLU(), nn.Linear(width, length * RESIDUES))

    def forward(self, n, tau):
        logits = self.net(torch.randn(n, self.latent)).view(n, self.length, RESIDUES)
        return F.gumbel_softmax(logits, tau=tau, dim=-1)


class AffinityPredictor(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        self.net = nn.Sequential(
            nn.Flatten(), nn.Linear(length * RESIDUES, width), nn.ELU(),
            nn.Linear(width, width), nn.ELU(), nn.Linear(width, 1))

    def forward(self, seqs):
        return self.net(seqs).squeeze(-1)
