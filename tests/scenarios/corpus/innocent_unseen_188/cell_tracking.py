# gradwatch-corpus: kind=none
"""Linking microscopy cells between frames with a learned affinity; sorted table of ambiguous links."""
import bisect

import torch
import torch.nn as nn
import torch.nn.functional as F


class Affinity(nn.Module):
    def __init__(self, feat=6, dim=16):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(feat, 32), nn.GELU(), nn.Linear(32, dim))
        self.scale = nn.Parameter(torch.tensor(1.0))

    def forward(self, a, b):
        za, zb = F.normalize(self.enc(a), dim=-1), F.normalize(self.enc(b), dim=-1)
        return self.scale.exp() * za @ zb.transpose(-1, -2)


class AmbiguityTable:
    """Affinity matrices ordered by entropy. Only the top `limit` stay."""

    def __init__(self, limit):
        self.limit = limit
        self.keys = []
        self.matrices = []

    def insert(self, entropy, matrix):
        at = bisect.bisect_right(self.keys, entropy)
        self.keys.insert(at, entropy)
        self.matrices.insert(at, matrix)
        if len(self.keys) > self.limit:
            cut = len(self.keys) - self.limit
            del self.keys[:cut]
            del self.matrices[:cut]

    def decay(self, factor):
        self.keys = [k * factor for k in self.keys]

    def summary(self):
        worst = self.matrices[-1]
        return self.keys[-1], worst.max(-1).values.mean().item()


def frame_pair(gen, cells=10, batch=4):
    pos = torch.rand(batch, cells, 2, generator=gen) * 4
    shape = torch.randn(batch, cells, 4, generator=gen)
    first = torch.cat([pos, shape], -1)
    move = 0.3 * torch.randn(batch, cells, 2, generator=gen)
    second = torch.cat([pos + move, shape + 0.4 * torch.randn(batch, cells, 4, generator=gen)], -1)
    perm = torch.stack([torch.randperm(cells, generator=gen) for _ in range(batch)])
    second = torch.gather(second, 1, perm[..., None].expand_as(second))
    return first, second, perm.argsort(-1)


def main():
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(13)
    model = Affinity()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3, weight_decay=1e-3)
    table = AmbiguityTable(limit=18)
    correct = total = 0
    for step in range(460):
        first, second, match = frame_pair(gen)
        aff = model(first, second)
        logp = aff.log_softmax(-1)
        loss = F.nll_loss(logp.flatten(0, 1), match.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()

        entropy = -(logp.exp() * logp).sum(-1).mean().item()
        table.decay(0.98)
        table.insert(entropy, aff)
        correct += (aff.argmax(-1) == match).sum().item()
        total += match.numel()
        if step % 80 == 79:
            h, conf = table.summary()
            print(f"{step + 1} acc {correct / total:.3f} worst entropy {h:.3f} top affinity {conf:.2f}")
            correct = total = 0


if __name__ == "__main__":
    main()
