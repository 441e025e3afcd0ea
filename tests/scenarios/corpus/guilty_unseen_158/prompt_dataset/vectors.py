import torch
import torch.nn as nn

from phrases import FILLER, VERBS


class PhraseVectors(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.index = {w: i for i, w in enumerate(VERBS + FILLER)}
        self.words = nn.Embedding(len(self.index), width)
        self.scale = nn.Linear(width, width)

    def forward(self, text):
        ids = torch.tensor([self.index[w] for w in text.split()])
        return torch.tanh(self.scale(self.words(ids)))  # <- culprit
