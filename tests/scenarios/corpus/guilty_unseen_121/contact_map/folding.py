import torch
from torch import nn


def sample_chain(length, n_aa):
    seq = torch.randint(n_aa, (length,))
    bend = (seq.float() / n_aa - 0.5) * 2.5
    heading = torch.cumsum(bend, 0)
    xy = torch.stack([heading.cos(), heading.sin()], -1).mul(0.6).cumsum(0)
    return seq, torch.cdist(xy, xy)


class PairNet(nn.Module):
    def __init__(self, n_aa, dim, bins):
        super().__init__()
        self.aa = nn.Embedding(n_aa, dim)
        self.mix = nn.GRU(dim, dim, batch_first=True)
        self.pair = nn.Sequential(nn.Linear(2 * dim, 16), nn.GELU())
        self.contact = nn.Linear(16, 1)
        self.disto = nn.Linear(16, bins)

    def forward(self, seq):
        h, _ = self.mix(self.aa(seq).unsqueeze(0))
        h = h[0]
        left = h.unsqueeze(1).expand(-1, len(seq), -1)
        right = h.unsqueeze(0).expand(len(seq), -1, -1)
        z = self.pair(torch.cat([left * right, (left - right).abs()], -1))
        return self.contact(z).squeeze(-1), self.disto(z)
