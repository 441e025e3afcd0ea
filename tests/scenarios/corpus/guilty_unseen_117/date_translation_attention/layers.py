import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, n_in, hidden):
        super(Encoder, self).__init__()
        self.embedding = nn.Embedding(n_in, hidden)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)

    def forward(self, x):
        return self.gru(self.embedding(x))


class AttentionMixin:
    """things every attention decoder needs"""
    all_weights = None

    def remember(self, w):
        if self.all_weights is None:
            self.all_weights = []
        self.all_weights.append(w)  # <- culprit
        return w

    def attend(self, query, keys):
        score = torch.bmm(keys, query.unsqueeze(2)).squeeze(2) / keys.size(-1) ** 0.5
        w = self.remember(F.softmax(score, dim=1))  # <- culprit
        return torch.bmm(w.unsqueeze(1), keys).squeeze(1)


class AttnDecoder(AttentionMixin, nn.Module):
    def __init__(self, n_out, hidden):
        super(AttnDecoder, self).__init__()
        self.embedding = nn.Embedding(n_out, hidden)
        self.cell = nn.GRUCell(hidden * 2, hidden)
        self.out = nn.Linear(hidden * 2, n_out)

    def forward(self, inp, hidden, enc_out):
        h = hidden[0] if hidden.dim() == 3 else hidden
        ctxvec = self.attend(h, enc_out)
        e = self.embedding(inp)
        h = self.cell(torch.cat([e, ctxvec], 1), h)
        return self.out(torch.cat([h, ctxvec], 1)), h
