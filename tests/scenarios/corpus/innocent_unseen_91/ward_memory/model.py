import torch
from torch import nn


class WardNet(nn.Module):
    def __init__(self, n_vitals, dim, memory):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_vitals, dim), nn.Tanh())
        self.query = nn.Linear(dim, dim, bias=False)
        self.head = nn.Sequential(nn.Linear(2 * dim, 16), nn.ReLU(), nn.Linear(16, 1))
        self.memory = memory

    def recall(self, q, pid):
        past = self.memory.read(pid)
        weight = torch.softmax(past @ q / q.numel() ** 0.5, dim=0)
        return weight @ past

    def forward(self, ids, vitals):
        enc = self.encoder(vitals)
        recalled = torch.stack([self.recall(q, pid) for q, pid in zip(self.query(enc), ids)])
        for pid, e in zip(ids, enc):
            self.memory.write(pid, e)
        return self.head(torch.cat([enc, recalled], dim=1)).squeeze(1)
