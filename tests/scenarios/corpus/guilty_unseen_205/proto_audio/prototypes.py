import torch
import torch.nn as nn
import torch.nn.functional as F


class PrototypeHead(nn.Module):
    def __init__(self, in_dim, proj_dim, num_classes, momentum=0.9, tau=0.2):
        super().__init__()
        self.proj = nn.Linear(in_dim, proj_dim)
        self.num_classes, self.momentum, self.tau = num_classes, momentum, tau
        self.prototypes = F.normalize(torch.randn(num_classes, proj_dim), dim=1)

    def embed(self, x):
        return F.normalize(self.proj(x), dim=1)

    def refresh(self, z, y):
        onehot = F.one_hot(y, self.num_classes).to(z.dtype)
        sums = onehot.t() @ z
        means = sums / onehot.sum(0).clamp(min=1)[:, None]
        self.prototypes = self.momentum * self.prototypes + (1 - self.momentum) * means  # <- culprit

    def forward(self, x, y=None):
        z = self.embed(x)
        if y is not None:
            self.refresh(z, y)
        return z @ F.normalize(self.prototypes, dim=1).t() / self.tau
