import torch
from torch import nn


class OffsetAttention(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.qk = nn.Linear(dim, dim // 4, bias=False)
        self.v = nn.Linear(dim, dim)
        self.trans = nn.Linear(dim, dim)
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        q = self.qk(x)
        attn = torch.softmax(q @ q.transpose(1, 2), dim=-1)
        attn /= attn.sum(dim=1, keepdim=True) + 1e-9  # <- culprit
        out = attn @ self.v(x)
        return x + torch.relu(self.norm(self.trans(x - out)))


class PointTransformer(nn.Module):
    def __init__(self, classes, dim=32, depth=2):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(3, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.blocks = nn.ModuleList(OffsetAttention(dim) for _ in range(depth))
        self.head = nn.Linear(depth * dim, classes)

    def forward(self, cloud):
        x = self.embed(cloud)
        feats = []
        for block in self.blocks:
            x = block(x)
            feats.append(x)
        return self.head(torch.cat(feats, -1).amax(1))
