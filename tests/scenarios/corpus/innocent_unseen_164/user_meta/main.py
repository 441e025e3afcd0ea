# gradwatch-corpus: kind=none
"""Meta-learned initial weights and inner step size for per-user adapters."""
import torch
from torch import nn

from adapters import UserPool

torch.set_num_threads(1)
torch.manual_seed(45)


class Meta:
    def __init__(self, users=4, rank=12):
        self.slow = nn.ParameterDict({
            "down": nn.Parameter(torch.randn(1, rank) * 0.7),
            "up": nn.Parameter(torch.randn(rank, 1) * 0.3),
            "bias": nn.Parameter(torch.zeros(1)),
        })
        self.log_lr = nn.Parameter(torch.tensor(-3.5))
        self.pool = UserPool(self.slow, users)
        self.opt = torch.optim.Adam([*self.slow.parameters(), self.log_lr], lr=3e-3)
        self.scores = {}

    def visit(self, user, adapter, inner=3):
        adapter.begin()
        for _ in range(inner):
            adapter.inner_step(*self.pool.data(user, 10), self.log_lr.exp())
        loss = adapter.outer(*self.pool.data(user, 10))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        old = self.scores.get(user, loss.detach())
        self.scores[user] = 0.9 * old + 0.1 * loss.detach()

    def run(self, sweeps):
        for s in range(sweeps):
            for user, adapter in self.pool:
                self.visit(user, adapter)
            if s % 8 == 7:
                row = {u: round(v.item(), 3) for u, v in self.scores.items()}
                print(s, row, "lr", round(self.log_lr.exp().item(), 4))


if __name__ == "__main__":
    Meta().run(25)
