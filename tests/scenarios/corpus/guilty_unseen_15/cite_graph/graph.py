from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Citations:
    x: torch.Tensor
    y: torch.Tensor
    src: torch.Tensor
    dst: torch.Tensor
    train: torch.Tensor

    @property
    def n(self):
        return self.x.shape[0]


def planted_citations(n, classes, feats, seed, p_in=0.12, p_out=0.01):
    gen = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % classes
    same = y.unsqueeze(0) == y.unsqueeze(1)
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu(torch.rand(n, n, generator=gen) < prob, diagonal=1)
    adj = upper | upper.T | torch.eye(n, dtype=torch.bool)
    src, dst = adj.nonzero(as_tuple=True)
    centres = torch.randn(classes, feats, generator=gen)
    x = centres[y] + 2.0 * torch.randn(n, feats, generator=gen)
    train = torch.zeros(n, dtype=torch.bool)
    train[torch.randperm(n, generator=gen)[:5 * classes]] = True
    return Citations(x, y, src, dst, train)
