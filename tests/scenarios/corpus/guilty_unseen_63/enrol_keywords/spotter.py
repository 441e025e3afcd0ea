"""Query-side scoring on top of a PrototypeBank."""
import torch
from torch import nn


class Spotter(nn.Module):
    def __init__(self, bank):
        super().__init__()
        self.bank = bank
        self.log_scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, mels):
        emb = self.bank.encoder(mels)
        return self.bank.similarity(emb) * self.log_scale.exp()
