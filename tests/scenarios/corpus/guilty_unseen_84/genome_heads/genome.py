import torch
import torch.nn.functional as F

MOTIF = [2, 3, 0, 2]


def contigs(n, batch=8, length=40, seed=6):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        base = torch.randint(4, (batch, length), generator=g)
        at = torch.randint(2, length - 8, (batch,), generator=g)
        gene = torch.zeros(batch, length)
        splice = torch.zeros(batch, length)
        for row, pos in enumerate(at.tolist()):
            base[row, pos:pos + 4] = torch.tensor(MOTIF)
            splice[row, pos] = 1
            gene[row, pos:pos + 8] = 1
        yield F.one_hot(base, 4).float().transpose(1, 2), gene, splice
