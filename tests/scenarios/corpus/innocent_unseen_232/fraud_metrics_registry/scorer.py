import torch
from torch import nn


class SequenceScorer(nn.Module):
    def __init__(self, n_in, dim):
        super().__init__()
        self.cell = nn.GRUCell(n_in, dim)
        self.head = nn.Linear(dim, 1)

    def forward(self, events, state):
        logits = []
        for t in range(events.shape[1]):
            state = self.cell(events[:, t], state)
            logits.append(self.head(state).squeeze(1))
        return torch.stack(logits, dim=1), state
