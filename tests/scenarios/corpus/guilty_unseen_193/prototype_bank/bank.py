import torch
import torch.nn as nn
import torch.nn.functional as F


class PrototypeBank(nn.Module):
    def __init__(self, classes, dim, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("protos", F.normalize(torch.randn(classes, dim), dim=1))
        self.register_buffer("counts", torch.zeros(classes))

    def forward(self, feats, tau=0.1):
        return feats @ self.protos.t() / tau

    @torch.no_grad()
    def update(self, feats, labels):
        for c in labels.unique():
            mean = feats[labels == c].mean(0)
            self.protos[c].mul_(self.momentum).add_(mean, alpha=1 - self.momentum)
            self.counts[c] += (labels == c).sum()
        self.protos.copy_(F.normalize(self.protos, dim=1))
