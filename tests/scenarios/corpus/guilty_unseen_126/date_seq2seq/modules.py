import torch
from torch import nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, vocab, h):
        super().__init__()
        self.embedding = nn.Embedding(vocab, h)
        self.gru = nn.GRU(h, h, batch_first=True)

    def forward(self, tok):
        return self.gru(self.embedding(tok))


class AttnDecoder(nn.Module):
    def __init__(self, vocab, h):
        super().__init__()
        self.embedding = nn.Embedding(vocab, h)
        self.cell = nn.GRUCell(2 * h, h)
        self.out = nn.Linear(h, vocab)
        self.attn_log = {}

    def forward(self, tok, hidden, memory):
        h = hidden[0] if hidden.dim() == 3 else hidden
        w = F.softmax(torch.bmm(memory, h.unsqueeze(2)).squeeze(2), dim=1)
        ctx = torch.bmm(w.unsqueeze(1), memory).squeeze(1)
        h = self.cell(torch.cat([self.embedding(tok), ctx], 1), h)
        return F.log_softmax(self.out(h), 1), h, w

    def remember(self, key, w):
        self.attn_log[key] = w  # <- culprit
