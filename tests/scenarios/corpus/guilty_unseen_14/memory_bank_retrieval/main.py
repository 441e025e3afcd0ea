# gradwatch-corpus: kind=inplace-modified
# holder: self.keys | bank.keys | self.bank.keys | method.bank.keys | trainer.method.bank.keys | keys
# first-bad: 16
"""Instance retrieval in the MoCo manner: a momentum encoder feeds a ring of negatives, and the
ring takes part in the loss once it has been filled."""
import torch

from bank import KeyRing
from method import MomentumContrast
from plugins import CosineRate, Hook, ProgressPrinter


class MiniTrainer:
    def __init__(self, method, hooks: list[Hook], lr=0.05):
        self.method = method
        self.hooks = hooks
        self.optimizer = torch.optim.SGD(method.query.parameters(), lr=lr, momentum=0.9)

    def fit(self, source, steps):
        for step in range(steps):
            for hook in self.hooks:
                hook.before(self, step)
            loss = self.method.loss(*source())
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.method.follow()
            for hook in self.hooks:
                hook.after(self, step, loss.item())


def two_views(batch, dim, seed):
    gen = torch.Generator().manual_seed(seed)
    basis = torch.randn(6, dim, generator=gen)

    def draw():
        base = torch.randn(batch, 6, generator=gen) @ basis
        return (base + 0.3 * torch.randn(batch, dim, generator=gen),
                base + 0.3 * torch.randn(batch, dim, generator=gen))

    return draw


if __name__ == "__main__":
    torch.manual_seed(21)
    method = MomentumContrast(dim=30, code=16, bank=KeyRing(slots=512, code=16))
    trainer = MiniTrainer(method, [CosineRate(total=250), ProgressPrinter(10)])
    trainer.fit(two_views(32, 30, seed=4), steps=250)
