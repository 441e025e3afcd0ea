import torch
import torch.nn as nn
import torch.nn.functional as F


class Memory(nn.Module):
    def __init__(self, slots, cell):
        super().__init__()
        self.bias = nn.Parameter(0.1 * torch.randn(slots, cell))
        self.content = None

    def reset(self):
        self.content = self.bias.clone()

    def address(self, key, beta):
        sim = F.cosine_similarity(self.content + 1e-8, key.unsqueeze(0) + 1e-8, dim=-1)
        return F.softmax(beta * sim, dim=0)

    def read(self, w):
        return w @ self.content

    def write(self, w, erase, add):
        keep = 1 - torch.outer(w, erase)
        self.content = self.content * keep + torch.outer(w, add)


class NTM(nn.Module):
    def __init__(self, width, slots, cell, hidden=24):
        super().__init__()
        self.hidden, self.cell = hidden, cell
        self.memory = Memory(slots, cell)
        self.controller = nn.GRUCell(width + 1 + cell, hidden)
        self.read_head = nn.Linear(hidden, cell + 1)
        self.write_head = nn.Linear(hidden, 3 * cell + 1)
        self.out = nn.Linear(hidden + cell, width)

    def reset(self):
        self.memory.reset()
        self.h = torch.zeros(1, self.hidden)
        self.r = torch.zeros(self.cell)

    def forward(self, x):
        self.h = self.controller(torch.cat([x, self.r]).unsqueeze(0), self.h)
        c = self.cell
        wp = self.write_head(self.h).squeeze(0)
        w = self.memory.address(torch.tanh(wp[:c]), F.softplus(wp[-1]))
        self.memory.write(w, torch.sigmoid(wp[c:2 * c]), torch.tanh(wp[2 * c:3 * c]))
        rp = self.read_head(self.h).squeeze(0)
        self.r = self.memory.read(self.memory.address(torch.tanh(rp[:c]), F.softplus(rp[-1])))
        return torch.sigmoid(self.out(torch.cat([self.h.squeeze(0), self.r])))
