# gradwatch-corpus: kind=inplace-modified
# holder: self.rows | self.bank.rows | bank.rows | job.bank.rows
# first-bad: 12
import torch
from torch import nn
from torch.nn import functional as F

WARMUP, STEPS, BATCH, ITEMS, DIM = 12, 100, 40, 400, 16


class MemoryBank:
    """One slowly moving unit vector for each item of the catalogue."""

    def __init__(self, items, dim, momentum=0.5):
        self.rows = F.normalize(torch.randn(items, dim), dim=1)
        self.momentum = momentum

    def similarities(self, z):
        return z @ self.rows.t()  # <- culprit

    @torch.no_grad()
    def absorb(self, ids, z):
        mixed = self.momentum * self.rows[ids] + (1 - self.momentum) * z
        self.rows.index_copy_(0, ids, F.normalize(mixed, dim=1))  # <- culprit


class BankUpdater:
    """Callback: lets the bank follow the encoder once the warm-up is over."""

    def __init__(self, bank, start):
        self.bank = bank
        self.start = start

    def after_forward(self, step, ids, z):
        if step >= self.start:
            self.bank.absorb(ids, z)  # <- culprit


class Progress:
    def after_forward(self, step, ids, z):
        if step % 10 == 0:
            print(f"step {step}: embedding spread {z.std(0).mean().item():.3f}")


class Instance:
    def __init__(self, encoder, bank, callbacks):
        self.encoder = encoder
        self.bank = bank
        self.callbacks = callbacks
        self.opt = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.9)

    def notify(self, moment, *args):
        for callback in self.callbacks:
            getattr(callback, moment)(*args)

    def step(self, step, ids, x):
        z = F.normalize(self.encoder(x), dim=1)
        logits = self.bank.similarities(z) / 0.1
        self.notify("after_forward", step, ids, z)  # <- culprit
        loss = F.cross_entropy(logits, ids)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(10)
    catalogue = torch.randn(ITEMS, 30)
    encoder = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Linear(64, DIM))
    bank = MemoryBank(ITEMS, DIM)
    job = Instance(encoder, bank, [Progress(), BankUpdater(bank, WARMUP)])
    history = []
    for step in range(STEPS):
        ids = torch.randperm(ITEMS)[:BATCH]
        x = catalogue[ids] + 0.2 * torch.randn(BATCH, 30)
        history.append(job.step(step, ids, x))
    print(f"first {history[0]:.3f} last {history[-1]:.3f}")


if __name__ == "__main__":
    main()
