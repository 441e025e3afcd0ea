import torch
import torch.nn as nn
import torch.nn.functional as F


class SessionEncoder(nn.Module):
    def __init__(self, items: int, dim: int) -> None:
        super().__init__()
        self.table = nn.Embedding(items, dim)
        self.gate = nn.Linear(dim, 1)
        self.out = nn.Linear(dim, dim)

    def item(self, ids: torch.Tensor) -> torch.Tensor:
        return F.normalize(self.table(ids), dim=-1)

    def forward(self, seq: torch.Tensor) -> torch.Tensor:
        x = self.table(seq)
        a = self.gate(x).softmax(1)
        return F.normalize(self.out((a * x).sum(1) + x[:, -1]), dim=-1)


def info_nce(ctx, target, extra, tau: float = 0.1):
    bank = target if extra is None else torch.cat([target, extra])
    logits = ctx @ bank.t() / tau
    return F.cross_entropy(logits, torch.arange(len(ctx))), logits
