import torch
import torch.nn as nn
import torch.nn.functional as F


def edge_softmax(score, dst, n):
    score = (score - score.max().detach()).exp()
    denom = torch.zeros(n, dtype=score.dtype).index_add(0, dst, score)
    return score / (denom[dst] + 1e-9)


class GATLayer(nn.Module):
    def __init__(self, in_dim, out_dim):
        super().__init__()
        self.lin = nn.Linear(in_dim, out_dim, bias=False)
        self.att_src = nn.Parameter(torch.randn(out_dim) * 0.1)
        self.att_dst = nn.Parameter(torch.randn(out_dim) * 0.1)
        self.bias = nn.Parameter(torch.zeros(out_dim))
        self.alphas = []

    def forward(self, x, src, dst):
        h = self.lin(x)
        score = (h * self.att_src).sum(-1)[src] + (h * self.att_dst).sum(-1)[dst]
        alpha = edge_softmax(F.leaky_relu(score, 0.2), dst, x.size(0))
        if self.training:
            self.alphas.append(alpha)  # <- culprit
        msg = h[src] * alpha.unsqueeze(-1)
        out = torch.zeros_like(h).index_add(0, dst, msg)
        return out + self.bias


class TrafficGAT(nn.Module):
    def __init__(self, in_dim, hidden, out_dim):
        super().__init__()
        self.conv1 = GATLayer(in_dim, hidden)
        self.conv2 = GATLayer(hidden, hidden)
        self.head = nn.Linear(hidden, out_dim)

    def forward(self, x, src, dst):
        x = F.elu(self.conv1(x, src, dst))
        x = F.dropout(x, 0.1, self.training)
        x = F.elu(self.conv2(x, src, dst))
        return self.head(x).squeeze(-1)
