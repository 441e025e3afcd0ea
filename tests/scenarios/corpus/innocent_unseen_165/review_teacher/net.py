import torch
import torch.nn as nn


class GRUClassifier(nn.Module):
    def __init__(self, vocab=60, dim=16, hidden=16, classes=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.drop = nn.Dropout(0.2)
        self.gru = nn.GRU(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, classes)
        self.hidden = None

    def forward(self, tokens):
        _, self.hidden = self.gru(self.drop(self.emb(tokens)))
        return self.out(self.hidden[-1])
