from typing import NamedTuple

import torch


class Day(NamedTuple):
    src: torch.Tensor
    dst: torch.Tensor
    label: torch.Tensor
    adj: torch.Tensor


class PaymentStream:
    def __init__(self, n, days, per_day=96):
        self.n, self.days, self.per_day = n, days, per_day
        self.shady = torch.rand(n) < 0.15

    def __iter__(self):
        for _ in range(self.days):
            src = torch.randint(0, self.n, (self.per_day,))
            dst = torch.randint(0, self.n, (self.per_day,))
            risk = 0.05 + 0.4 * self.shady[src].float() + 0.3 * self.shady[dst].float()
            adj = torch.zeros(self.n, self.n)
            adj.index_put_((dst, src), torch.ones(self.per_day), accumulate=True)
            adj = adj / adj.sum(1, keepdim=True).clamp(min=1)
            yield Day(src, dst, torch.bernoulli(risk), adj)
