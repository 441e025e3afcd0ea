import torch
import torch.nn.functional as F


def tiles(n, width, rows, per_chromosome=60, seed=8):
    g = torch.Generator().manual_seed(seed)
    inside = torch.zeros(rows)
    for i in range(n):
        exon = []
        for _ in range(width):
            flip = torch.rand(rows, generator=g) < 0.06
            inside = torch.where(flip, 1 - inside, inside)
            exon.append(inside)
        exon = torch.stack(exon)
        gc = torch.rand(width, rows, generator=g) < (0.3 + 0.4 * exon)
        base = 2 * gc.long() + torch.randint(2, (width, rows), generator=g)
        yield F.one_hot(base, 4).float(), exon, i % per_chromosome == 0
