# gradwatch-corpus: kind=none
import itertools
from collections import defaultdict

import torch
import torch.nn as nn


class Meter:
    def __init__(self):
        self.sums, self.counts = defaultdict(float), defaultdict(int)

    def add(self, **kw):
        for k, (v, n) in kw.items():
            self.sums[k] += v.detach().item() * n
            self.counts[k] += n

    def pop(self):
        out = {k: self.sums[k] / self.counts[k] for k in self.sums}
        self.sums.clear()
        self.counts.clear()
        return out


class TinySeq2Seq(nn.Module):
    def __init__(self, vocab, dim=32):
        super().__init__()
        self.src, self.tgt = nn.Embedding(vocab, dim), nn.Embedding(vocab, dim)
        self.pos = nn.Parameter(0.02 * torch.randn(1, 32, dim))
        self.core = nn.Transformer(dim, 2, 1, 1, 64, dropout=0.0, batch_first=True)
        self.head = nn.Linear(dim, vocab)

    def forward(self, s, t):
        mask = nn.Transformer.generate_square_subsequent_mask(t.size(1))
        h = self.core(self.src(s) + self.pos[:, :s.size(1)], self.tgt(t) + self.pos[:, :t.size(1)], tgt_mask=mask)
        return self.head(h)


def pairs(vocab, batch, gen):
    while True:
        n = int(torch.randint(5, 11, (1,), generator=gen))
        s = torch.randint(2, vocab, (batch, n), generator=gen)
        t = torch.cat([torch.ones(batch, 1, dtype=torch.long), s.flip(1)], 1)
        yield s, t


def chunked(it, k):
    while chunk := list(itertools.islice(it, k)):
        yield chunk


def main(micro=8, steps=45):
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(12)
    net = TinySeq2Seq(24)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda i: min(1, (i + 1) / 10))
    meter = Meter()
    stream = itertools.islice(pairs(24, 6, gen), micro * steps)
    for step, chunk in enumerate(chunked(stream, micro)):
        tokens = sum(t[:, 1:].numel() for _, t in chunk)
        for s, t in chunk:
            logits = net(s, t[:, :-1])
            gold = t[:, 1:]
            nll = nn.functional.cross_entropy(logits.flatten(0, 1), gold.reshape(-1), reduction="sum")
            (nll / tokens).backward()
            hit = (logits.argmax(-1) == gold).float().mean()
            meter.add(nll=(nll / gold.numel(), gold.numel()), hit=(hit, gold.numel()))
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        sched.step()
        opt.zero_grad(set_to_none=True)
        if step % 15 == 14:
            print(step + 1, meter.pop())


if __name__ == "__main__":
    main()
