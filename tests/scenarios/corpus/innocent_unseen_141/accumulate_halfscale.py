# gradwatch-corpus: kind=none
"""Translation-like toy with dynamic loss scaling; losses of a token budget are joined before one backward."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Seq2Seq(nn.Module):
    def __init__(self, v=20, d=20):
        super().__init__()
        self.src, self.tgt = nn.Embedding(v, d), nn.Embedding(v, d)
        self.enc, self.dec = nn.GRU(d, d, batch_first=True), nn.GRU(d, d, batch_first=True)
        self.out = nn.Linear(2 * d, v)

    def forward(self, s, t):
        mem, h = self.enc(self.src(s))
        q, _ = self.dec(self.tgt(t), h)
        ctx = (q @ mem.transpose(1, 2)).softmax(-1) @ mem
        return self.out(torch.cat([q, ctx], -1))


class Accumulator:
    def __init__(self, model, budget):
        self.model, self.budget = model, budget
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.pending, self.tokens = [], 0
        self.scale, self.clean, self.updates = 1024.0, 0, 0

    def feed(self, s, t):
        logits = self.model(s, t[:, :-1])
        self.pending.append(F.cross_entropy(logits.transpose(1, 2), t[:, 1:], reduction="sum"))
        self.tokens += t[:, 1:].numel()
        if self.tokens >= self.budget:
            return self.flush()

    def flush(self):
        mean = torch.stack(self.pending).sum() / self.tokens
        self.pending.clear()
        self.tokens = 0
        self.opt.zero_grad()
        (mean * self.scale).backward()
        finite = True
        for p in self.model.parameters():
            p.grad /= self.scale
            finite &= bool(p.grad.isfinite().all())
        if finite:
            self.opt.step()
            self.updates += 1
            self.clean += 1
            if self.clean == 100:
                self.scale, self.clean = self.scale * 2, 0
        else:
            self.scale, self.clean = self.scale / 2, 0
        return mean.item()


def sentences():
    while True:
        n = int(torch.randint(3, 8, ()))
        s = torch.randint(2, 20, (4, n))
        yield s, torch.cat([torch.ones(4, 1, dtype=torch.long), (s.flip(1) + 3) % 20], 1)


torch.manual_seed(70)
acc = Accumulator(Seq2Seq(), budget=64)
for s, t in sentences():
    value = acc.feed(s, t)
    if value is not None and acc.updates % 90 == 0:
        print(acc.updates, round(value, 3), acc.scale)
    if acc.updates == 450:
        break
