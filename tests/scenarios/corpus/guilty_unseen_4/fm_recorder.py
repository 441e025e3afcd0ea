# gradwatch-corpus: kind=graph-held
# holder: self.raw | self.smooth.raw
# first-bad: 1
"""Sequence model for codon usage; plateau scheduler driven by a debiased smoothed loss."""
import torch
from torch import nn


class SmoothedValue:
    __slots__ = ("momentum", "raw", "n")

    def __init__(self, momentum=0.98):
        self.momentum, self.raw, self.n = momentum, 0.0, 0

    def __iadd__(self, val):
        self.n += 1
        self.raw = self.momentum * self.raw + (1 - self.momentum) * val  # <- culprit
        return self

    def __float__(self):
        return float(self.raw) / (1 - self.momentum ** self.n)


class LearnerBase:
    def __init__(self, model, lr):
        self.model = model
        self.opt = torch.optim.NAdam(model.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.ReduceLROnPlateau(self.opt, factor=0.7, patience=3)
        self.smooth = SmoothedValue()

    def criterion(self, batch):
        raise NotImplementedError

    def fit(self, batches, check=25):
        for n, batch in enumerate(batches, 1):
            crit = self.criterion(batch)
            self.opt.zero_grad()
            crit.backward()
            self.opt.step()
            self.smooth += crit
            if n % check == 0:
                self.sched.step(float(self.smooth))
            if n % (3 * check) == 0:
                print(f"batch {n:4d} smoothed {float(self.smooth):.4f} lr {self.opt.param_groups[0]['lr']:.2e}")


class CodonModel(nn.Module):
    def __init__(self, vocab=64, d=32):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.LSTM(d, 48, batch_first=True)
        self.out = nn.Linear(48, vocab)

    def forward(self, x):
        return self.out(self.rnn(self.emb(x))[0])


class CodonLearner(LearnerBase):
    def criterion(self, batch):
        z = self.model(batch[:, :-1])
        return nn.functional.cross_entropy(z.flatten(0, 1), batch[:, 1:].flatten())


def genes(count, n=8, length=20, seed=14):
    g = torch.Generator().manual_seed(seed)
    bias = torch.softmax(2 * torch.randn(64, 64, generator=g), 1)
    for _ in range(count):
        cols = [torch.randint(0, 64, (n,), generator=g)]
        for _ in range(length):
            cols.append(torch.multinomial(bias[cols[-1]], 1, generator=g).squeeze(1))
        yield torch.stack(cols, 1)


if __name__ == "__main__":
    torch.manual_seed(14)
    CodonLearner(CodonModel(), lr=4e-3).fit(genes(280))
