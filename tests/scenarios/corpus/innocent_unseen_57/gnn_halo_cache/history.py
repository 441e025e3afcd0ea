import torch


class LazyHistory:
    """One row per node ever seen; unseen ones are zeros."""

    def __init__(self, dim):
        self.rows = {}
        self.zero = torch.zeros(dim)

    def __len__(self):
        return len(self.rows)

    def store(self, nodes, h):
        for n, row in zip(nodes.tolist(), h.detach().clone().unbind(0)):
            self.rows[n] = row.clone()

    def lookup(self, nb):
        flat = [self.rows.get(n, self.zero) for n in nb.flatten().tolist()]
        return torch.stack(flat).view(*nb.shape, -1).mean(1)
