import torch
import torch.nn as nn


class Embedder(nn.Module):
    def __init__(self, in_dim, feat_dim, num_classes):
        super().__init__()
        self.proj = nn.Linear(in_dim, feat_dim)
        self.head = nn.Linear(feat_dim, num_classes)

    def forward(self, x):
        feats = self.proj(x)
        return feats, self.head(torch.relu(feats))


def blobs(n, in_dim, num_classes, seed):
    g = torch.Generator().manual_seed(seed)
    mus = torch.randn(num_classes, in_dim, generator=g) * 1.5
    y = torch.randint(num_classes, (n,), generator=g)
    return mus[y] + torch.randn(n, in_dim, generator=g), y
