import torch
import torch.nn as nn


class TimeEncoder(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.lin = nn.Linear(1, dim)

    def forward(self, dt):
        return torch.cos(self.lin(dt.unsqueeze(-1)))


class NodeMemory(nn.Module):
    def __init__(self, n_nodes, dim, edge_dim):
        super().__init__()
        self.n_nodes, self.dim = n_nodes, dim
        self.time = TimeEncoder(dim)
        self.cell = nn.GRUCell(2 * dim + edge_dim + dim, dim)
        self.reset()

    def reset(self):
        self.state = torch.zeros(self.n_nodes, self.dim)
        self.last_seen = torch.zeros(self.n_nodes)
        self.pending = None

    def forward(self, nodes):
        return self.state[nodes]

    def store(self, src, dst, t, feat):
        self.pending = (src, dst, t, feat)

    def flush(self):
        if self.pending is None:
            return
        src, dst, t, feat = self.pending
        self.pending = None
        nodes = torch.cat([src, dst])
        other = torch.cat([dst, src])
        tt = torch.cat([t, t])
        ff = torch.cat([feat, feat])
        msg = torch.cat([self.state[nodes], self.state[other], ff, self.time(tt - self.last_seen[nodes])], -1)
        fresh = self.cell(msg, self.state[nodes])
        self.state = self.state.index_put((nodes,), fresh)  # <- culprit
        self.last_seen = self.last_seen.index_put((nodes,), tt)


class LinkPredictor(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3 * dim, 48), nn.ReLU(), nn.Linear(48, 1))

    def forward(self, a, b):
        return self.net(torch.cat([a, b, a * b], -1)).squeeze(-1)
