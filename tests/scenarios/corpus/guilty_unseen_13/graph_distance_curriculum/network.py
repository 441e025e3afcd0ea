import torch
from torch import nn


class MessageRound(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.message = nn.Linear(hidden, hidden)
        self.update = nn.GRUCell(hidden, hidden)

    def forward(self, a, h):
        b, n, d = h.shape
        m = torch.bmm(a, torch.relu(self.message(h))) / a.sum(2, keepdim=True).clamp_min(1)
        return self.update(m.reshape(b * n, d), h.reshape(b * n, d)).view(b, n, d)


class DistanceGNN(nn.Module):
    def __init__(self, hidden, rounds):
        super().__init__()
        self.embed = nn.Linear(1, hidden)
        self.round = MessageRound(hidden)
        self.rounds = rounds
        self.readout = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, a, source):
        h = torch.tanh(self.embed(source.unsqueeze(2)))
        for _ in range(self.rounds):
            h = self.round(a, h)
        return self.readout(h).squeeze(2)
