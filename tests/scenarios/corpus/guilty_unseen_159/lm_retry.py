# gradwatch-corpus: kind=second-backward
# holder: loss | value
# first-bad: 20
# notice: 1
"""Character model with spike handling: a step that blows up is tried again, softer."""
import functools

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(53)


class Spike(ArithmeticError):
    pass


def retry(times, soften):
    def deco(fn):
        @functools.wraps(fn)
        def inner(self, value, **kw):
            for n in range(times):
                try:
                    return fn(self, value, scale=soften ** n, **kw)
                except Spike:
                    self.opt.zero_grad()
            raise Spike(f"gave up after {times}")
        return inner
    return deco


class CharLM(nn.Module):
    def __init__(self, vocab=32, d=24):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.rnn = nn.GRU(d, 32, batch_first=True)
        self.out = nn.Linear(32, vocab)

    def forward(self, ids):
        h, _ = self.rnn(self.emb(ids))
        return self.out(h)


class Stepper:
    def __init__(self, net, lr, limit):
        self.net, self.limit = net, limit
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    @property
    def norm(self):
        return torch.stack([p.grad.norm() for p in self.net.parameters()]).norm().item()

    @retry(times=2, soften=0.25)  # <- culprit
    def apply(self, value, scale=1.0):
        self.opt.zero_grad()
        (scale * value).backward()  # <- culprit
        if self.norm > self.limit:
            raise Spike(f"norm {self.norm:.2f}")
        self.opt.step()
        return value.item()


class Text:
    """Mostly plain batches; now and then a damaged one with a heavy weight."""

    def __init__(self, n, vocab=32):
        self.n, self.vocab = n, vocab
        self.next = torch.randperm(vocab)

    def __iter__(self):
        for k in range(self.n):
            ids = [torch.randint(self.vocab, (8,))]
            for _ in range(14):
                ids.append(self.next[ids[-1]])
            damaged = k % 21 == 20
            ids = torch.stack(ids, 1)
            if damaged:
                ids = ids[:, torch.randperm(15)]
            yield ids, 60.0 if damaged else 1.0


def main():
    net = CharLM()
    st = Stepper(net, lr=5e-3, limit=12.0)
    skipped, acc = 0, []
    for k, (ids, w) in enumerate(Text(100)):
        loss = w * F.cross_entropy(net(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        try:
            acc.append(st.apply(loss))
        except (RuntimeError, Spike):
            st.opt.zero_grad()
            skipped += 1
        if k % 25 == 24:
            print(f"{k}: loss {sum(acc) / len(acc):.4f} skipped {skipped}")
            acc.clear()


if __name__ == "__main__":
    main()
