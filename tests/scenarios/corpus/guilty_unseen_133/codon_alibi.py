# gradwatch-corpus: kind=graph-held
# holder: tilt | self.tilt | model.attn.tilt | tilt.__wrapped__ | Attention.tilt
# first-bad: 46
# notice: 8
import torch
import torch.nn as nn
from functools import lru_cache
from types import SimpleNamespace

torch.set_num_threads(1)
torch.manual_seed(64)

cfg = SimpleNamespace(vocab=12, dim=16, heads=2, length=10, steps=500, anneal_from=45, anneal_len=400, lr=2e-3)


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.slope = nn.Parameter(torch.zeros(heads))
        self.tilt = lru_cache(maxsize=None)(self._tilt)  # <- culprit

    def _tilt(self, length, softness):
        pos = torch.arange(length)
        gap = (pos[:, None] - pos[None]).abs().float() / softness
        return -self.slope.exp()[:, None, None] * gap

    def forward(self, x, softness):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        score = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
        if softness is not None:
            score = score + self.tilt(n, softness)
        return self.proj((score.softmax(-1) @ v).transpose(1, 2).reshape(b, n, d))


class CodonModel(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.tok = nn.Embedding(c.vocab, c.dim)
        self.attn = Attention(c.dim, c.heads)
        self.norm = nn.LayerNorm(c.dim)
        self.out = nn.Linear(c.dim, c.vocab)

    def forward(self, seq, softness):
        h = self.tok(seq)
        return self.out(self.norm(h + self.attn(h, softness)))


def softness_schedule(c):
    for i in range(c.steps):
        if i < c.anneal_from:
            yield None
        else:
            done = (i - c.anneal_from) / c.anneal_len
            yield 8.0 / (1.0 + 7.0 * done)


def genes(c, n=6):
    start = torch.randint(0, c.vocab, (n, 1))
    seq = (start + torch.arange(c.length + 1) * 5) % c.vocab
    flip = torch.rand(seq.shape) < 0.05
    return torch.where(flip, torch.randint(0, c.vocab, seq.shape), seq)


model = CodonModel(cfg)
opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
for i, softness in enumerate(softness_schedule(cfg)):
    seq = genes(cfg)
    logits = model(seq[:, :-1], softness)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), seq[:, 1:].flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 100 == 0:
        print(i, softness, loss.item())
