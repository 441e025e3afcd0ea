import torch
from torch import nn


class StreamingEnhancer(nn.Module):
    def __init__(self, bins, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(bins)
        self.lstm = nn.LSTM(bins, hidden, num_layers=2, batch_first=True)
        self.mask = nn.Linear(hidden, bins)
        self.state = None

    def reset_state(self, batch):
        shape = (self.lstm.num_layers, batch, self.lstm.hidden_size)
        self.state = (torch.zeros(shape), torch.zeros(shape))

    def forward(self, spec):
        h, self.state = self.lstm(self.norm(spec.log1p()), self.state)  # <- culprit
        return torch.sigmoid(self.mask(h))
