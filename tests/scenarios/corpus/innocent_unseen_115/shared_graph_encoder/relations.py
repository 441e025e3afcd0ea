import torch
import torch.nn as nn


class RelationHeads(nn.Module):
    """Bilinear-diagonal (DistMult) scores with a bias per relation."""

    def __init__(self, n_rel, d):
        super().__init__()
        self.r = nn.Embedding(n_rel, d)
        self.bias = nn.Embedding(n_rel, 1)
        nn.init.normal_(self.r.weight, std=0.5)
        nn.init.zeros_(self.bias.weight)

    def forward(self, zs, zd, rel):
        # the relation vectors step inside a block, the embeddings' own graph does not hold them
        return (zs * self.r(rel) * zd).sum(-1) + self.bias(rel).squeeze(-1)
