import torch
from torch import nn
import torch.nn.functional as F


class Target:
    def __init__(self, sizes):
        self.shapes = [((o, i), (o,)) for i, o in zip(sizes, sizes[1:])]
        self.numel = sum(o * i + o for (o, i), _ in self.shapes)

    def __call__(self, x, flat):
        k = 0
        for j, ((o, i), _) in enumerate(self.shapes):
            w, k = flat[k:k + o * i].view(o, i), k + o * i
            b, k = flat[k:k + o], k + o
            x = F.linear(x, w, b)
            if j < len(self.shapes) - 1:
                x = torch.tanh(x)
        return x.squeeze(-1)


class HyperNet(nn.Module):
    def __init__(self, n_tasks, emb, n_out):
        super().__init__()
        self.emb = nn.Embedding(n_tasks, emb)
        self.net = nn.Sequential(nn.Linear(emb, 32), nn.ReLU(), nn.Linear(32, n_out))

    def forward(self, t):
        return self.net(self.emb(torch.tensor(t)))
