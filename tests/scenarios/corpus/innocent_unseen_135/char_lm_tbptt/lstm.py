import torch
from torch import nn


def repackage(state):
    if isinstance(state, torch.Tensor):
        return state.detach()
    return tuple(repackage(s) for s in state)


class CharLM(nn.Module):
    def __init__(self, vocab, dim=16):
        super().__init__()
        self.dim = dim
        self.emb = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, dim)
        self.bias = nn.Parameter(torch.zeros(vocab))

    def init_state(self, rows):
        return torch.zeros(1, rows, self.dim), torch.zeros(1, rows, self.dim)

    def forward(self, x, state):
        out, state = self.lstm(self.emb(x), state)
        return out @ self.emb.weight.t() + self.bias, state
