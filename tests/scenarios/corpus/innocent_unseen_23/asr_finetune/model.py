import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class ConvBlock(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.up = nn.Linear(d, 2 * d)
        self.conv = nn.Conv1d(d, d, 7, padding=3, groups=d)
        self.down = nn.Linear(d, d)

    def forward(self, x):
        h = F.glu(self.up(self.norm(x)), dim=-1)
        h = F.silu(self.conv(h.transpose(1, 2)).transpose(1, 2))
        return x + self.down(h)


class Encoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.inp = nn.Linear(cfg.mels, cfg.dim)
        self.blocks = nn.ModuleList(ConvBlock(cfg.dim) for _ in range(cfg.layers))
        self.out = nn.Linear(cfg.dim, cfg.vocab)

    def forward(self, x):
        x = self.inp(x)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False) if x.requires_grad else block(x)
        return self.out(x)


def strings(logits):
    letters = " abcdefghijklmnopqrstuvwxyz"
    out = []
    for row in logits.argmax(-1).tolist():
        kept = [c for i, c in enumerate(row) if c and (i == 0 or row[i - 1] != c)]
        out.append("".join(letters[c] for c in kept))
    return out
