from collections import OrderedDict

import torch
from torch import nn


class HyperNet(nn.Module):
    def __init__(self, n_nodes, emb, width, spec):
        super().__init__()
        self.embeddings = nn.Embedding(n_nodes, emb)
        self.trunk = nn.Sequential(nn.Linear(emb, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.heads = nn.ModuleDict({
            name: nn.Linear(width, torch.Size(shape).numel()) for name, shape in spec.shapes.items()
        })
        self.shapes = spec.shapes

    def forward(self, ids):
        """One pass for the whole cohort, then unpack per node."""
        shared = self.trunk(self.embeddings(ids))  # <- culprit
        flat = {name: head(shared) for name, head in self.heads.items()}
        return [
            OrderedDict((name, flat[name][i].view(self.shapes[name])) for name in self.shapes)
            for i in range(len(ids))
        ]
