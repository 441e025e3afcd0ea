import torch
from torch import nn


class Switch(nn.Module):
    def __init__(self, d, n):
        super().__init__()
        self.route = nn.Linear(d, n)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(d, d), nn.GELU(), nn.Linear(d, d)) for _ in range(n))
        self.penalties = []

    def forward(self, x):
        scores = self.route(x)
        prob = scores.softmax(-1)
        gate, pick = prob.max(-1)
        hot = nn.functional.one_hot(pick, len(self.experts)).float()
        self.penalties.append((len(self.experts) * (hot.mean((0, 1)) * prob.mean((0, 1))).sum(), scores.logsumexp(-1).square().mean()))
        mixed = sum(hot[..., i:i + 1] * e(x) for i, e in enumerate(self.experts))
        return x + gate.unsqueeze(-1) * mixed


class SwitchTagger(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.emb = nn.Embedding(21, d)
        self.rnn = nn.GRU(d, d, batch_first=True)
        self.layers = nn.Sequential(Switch(d, 3), nn.LayerNorm(d), Switch(d, 3))
        self.out = nn.Linear(d, 4)

    def forward(self, x):
        return self.out(self.layers(self.rnn(self.emb(x))[0]))


def drain(model):
    got = []
    for m in model.modules():
        if isinstance(m, Switch):
            got += m.penalties
            m.penalties = []
    balance, z = zip(*got)
    return torch.stack(balance).mean(), torch.stack(z).mean()
