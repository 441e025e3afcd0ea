import torch
from torch import nn


class HistoryGNN(nn.Module):
    def __init__(self, n, dims, c):
        super().__init__()
        self.lin = nn.ModuleList(nn.Linear(2 * a, b) for a, b in zip(dims, dims[1:]))
        self.out = nn.Linear(dims[-1], c)
        self.history = [torch.zeros(n, d) for d in dims[1:]]
        self.age = torch.zeros(n)

    def forward(self, x, adj, part):
        source = x
        h = x[part]
        self.age += 1
        self.age[part] = 0
        for lin, hist in zip(self.lin, self.history):
            h = torch.relu(lin(torch.cat([h, adj[part] @ source], 1)))
            source = hist.clone()
            source[part] = h
            with torch.no_grad():
                hist[part] = h
        return self.out(h)

    def staleness(self):
        return round(self.age.mean().item(), 2)
