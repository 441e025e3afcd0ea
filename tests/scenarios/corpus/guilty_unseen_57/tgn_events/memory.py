import torch


class NodeMemory:
    """Last known representation of every node, plus how often it was touched."""

    def __init__(self, n_nodes, dim):
        self.table = torch.zeros(n_nodes, dim)
        self.touched = torch.zeros(n_nodes, dtype=torch.long)

    def read(self, idx):
        return self.table[idx]

    def write(self, idx, values):
        self.table = self.table.index_copy(0, idx, values)  # <- culprit
        self.touched[idx] += 1

    def reset(self):
        self.table = torch.zeros_like(self.table)
        self.touched.zero_()
