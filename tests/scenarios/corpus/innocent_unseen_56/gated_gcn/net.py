import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self, adj, rank=4):
        super().__init__()
        self.register_buffer("mask", adj)
        self.code = nn.Parameter(torch.randn(len(adj), rank) * 0.2)
        self._norm = None
        self._key = None

    def build(self):
        a = self.mask * torch.sigmoid(self.code @ self.code.T) + torch.eye(len(self.mask))
        d = a.sum(1).rsqrt()
        return d[:, None] * a * d[None, :]

    def forward(self):
        # both layers (and both views) of one step share the same normalised matrix
        key = (self.code._version, torch.is_grad_enabled())
        if key != self._key:
            self._norm, self._key = self.build(), key
        return self._norm


class GCN(nn.Module):
    def __init__(self, cin, hidden, out, adj):
        super().__init__()
        self.gate = Gate(adj)
        self.w1 = nn.Linear(cin, hidden)
        self.w2 = nn.Linear(hidden, out)
        self.drop = nn.Dropout(0.3)

    def forward(self, x):
        h = torch.relu(self.gate() @ self.w1(self.drop(x)))
        return self.gate() @ self.w2(self.drop(h))


class Ema:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = {k: p.detach().clone() for k, p in model.named_parameters()}

    @torch.no_grad()
    def absorb(self, model):
        for k, p in model.named_parameters():
            self.shadow[k] = torch.lerp(self.shadow[k], p, 1 - self.decay)
