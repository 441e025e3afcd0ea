import torch
from torch import nn


class ClauseTagger(nn.Module):
    def __init__(self, vocab, tags, width=32):
        super().__init__()
        self.embed = nn.Embedding(vocab, width, padding_idx=0)
        self.left = nn.Conv1d(width, width, 3, padding=1)
        self.mix = nn.Sequential(nn.Linear(2 * width, width), nn.GELU())
        self.drop = nn.Dropout(0.1)
        self.out = nn.Linear(width, tags)

    def forward(self, tokens):
        e = self.embed(tokens)
        c = torch.relu(self.left(e.transpose(1, 2))).transpose(1, 2)
        return self.out(self.drop(self.mix(torch.cat([e, c], -1))))
