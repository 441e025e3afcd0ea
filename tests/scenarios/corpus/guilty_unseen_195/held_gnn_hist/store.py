import torch


class HistoricalEmbeddings:
    """Last known hidden vectors of all nodes, after GNNAutoScale."""

    def __init__(self, n_nodes, dim):
        self.table = torch.zeros(n_nodes, dim)
        self.age = torch.zeros(n_nodes, dtype=torch.long)
        self.pending = []
        self.clock = 0

    def read_all(self):
        return self.table

    def push(self, nodes, h):
        self.clock += 1
        self.pending.append((self.clock, nodes, h))  # <- culprit
        self.age[nodes] = self.clock

    def flush(self):
        clock, nodes, h = self.pending[-1]
        self.table[nodes] = h.detach()
        return clock

    def staleness(self):
        return (self.clock - self.age).float().mean().item()
