import torch
from torch import nn


class TextCNN(nn.Module):
    def __init__(self, vocab, d=24, ks=(2, 3, 4)):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.convs = nn.ModuleList(nn.Conv1d(d, 24, k) for k in ks)
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(24 * len(ks), 1)

    def forward(self, tok):
        x = self.emb(tok).transpose(1, 2)
        x = torch.cat([c(x).relu().amax(-1) for c in self.convs], 1)
        return self.fc(self.drop(x)).squeeze(1)
