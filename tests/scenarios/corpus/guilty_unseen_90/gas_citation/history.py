import torch


class History(torch.nn.Module):
    """Last known embedding of every node."""

    def __init__(self, num_nodes, dim):
        super().__init__()
        self.emb = torch.zeros(num_nodes, dim)
        self.age = torch.zeros(num_nodes, dtype=torch.long)

    def pull(self, n_id):
        return self.emb[n_id]

    def push(self, x, n_id):
        self.emb[n_id] = x  # <- culprit
        self.age += 1
        self.age[n_id] = 0

    def push_and_pull(self, x, n_id, halo):
        out = torch.cat([x, self.pull(halo)], dim=0)  # <- culprit
        self.push(x, n_id)  # <- culprit
        return out

    def staleness(self):
        return self.age.float().mean().item()
