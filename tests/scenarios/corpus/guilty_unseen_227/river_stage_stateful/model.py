import torch
import torch.nn as nn


class Reservoir(nn.Module):
    """Bucket-style hydrological cell: learned inflow, evaporation and release."""

    def __init__(self, n_forcing, n_buckets):
        super().__init__()
        self.n_buckets = n_buckets
        self.inflow = nn.Linear(n_forcing, n_buckets)
        self.release = nn.Parameter(torch.full((n_buckets,), -1.0))
        self.readout = nn.Linear(n_buckets, 1)
        self.storage = None

    def reset(self, n_sites):
        self.storage = torch.zeros(n_sites, self.n_buckets)

    def forward(self, forcing):
        level = self.storage
        flows = []
        k = torch.sigmoid(self.release)
        for t in range(forcing.size(1)):
            level = level + torch.nn.functional.softplus(self.inflow(forcing[:, t]))
            out = k * level
            level = level - out
            flows.append(self.readout(out))
        self.storage = level  # <- culprit
        return torch.cat(flows, dim=1)
