import torch
from torch import nn


class CommandNet(nn.Module):
    def __init__(self, n_mels, n_tokens, width=24):
        super().__init__()
        self.front = nn.Conv1d(n_mels, width, 3, padding=1)
        self.mid = nn.Conv1d(width, width, 3, padding=1)
        self.head = nn.Linear(width, n_tokens + 1)

    def forward(self, mels):
        h = torch.relu(self.front(mels))
        h = h + torch.relu(self.mid(h))
        # CTC wants (T, B, C)
        return self.head(h.permute(2, 0, 1)).log_softmax(-1)
