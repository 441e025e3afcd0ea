import torch


class History:
    """Last known embedding of every node (GNNAutoScale style)."""

    def __init__(self, num_nodes, dim):
        self.emb = torch.zeros(num_nodes, dim)
        self.pushed = torch.zeros(num_nodes, dtype=torch.long)

    def pull(self, idx):
        return self.emb[idx].detach()

    def push(self, idx, x):
        self.emb = self.emb.index_copy(0, idx, x)  # <- culprit
        self.pushed[idx] += 1

    def staleness(self):
        return (self.pushed.max() - self.pushed).float().mean().item()
