import torch
import torch.nn as nn


class StationMemory(nn.Module):
    """One vector per station, refreshed by a GRU each time the station sees a trip."""

    def __init__(self, n, dim, msg_dim):
        super().__init__()
        self.n, self.dim = n, dim
        self.cell = nn.GRUCell(msg_dim, dim)
        self.reset()

    def reset(self):
        self.state = torch.zeros(self.n, self.dim)

    def read(self, idx):
        return self.state[idx]

    def write(self, idx, msg):
        new = self.cell(msg, self.state[idx])
        self.state = self.state.index_copy(0, idx, new)  # <- culprit
        return new
