# gradwatch-corpus: kind=graph-held
# holder: log.pending | self.pending
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LazyLog:
    """formats only at the end, so that training isn't slowed by prints"""

    def __init__(self):
        self.pending = []

    def later(self, fn):
        self.pending.append(fn)

    def flush(self, every=1):
        lines = [fn() for fn in self.pending[::every]]
        self.pending.clear()
        return lines


def positional(T, d):
    pos = torch.arange(T).unsqueeze(1).float()
    freq = torch.exp(torch.arange(0, d, 2).float() * (-math.log(1000.0) / d))
    pe = torch.zeros(T, d)
    pe[:, 0::2] = torch.sin(pos * freq)
    pe[:, 1::2] = torch.cos(pos * freq)
    return pe


class SelfAttention(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h = heads
        self.dk = d // heads
        self.qkv = nn.Linear(d, 3 * d)
        self.proj = nn.Linear(d, d)

    def forward(self, x):
        B, T, D = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.h, self.dk).permute(2, 0, 3, 1, 4)
        att = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.dk), dim=-1)
        y = (att @ v).transpose(1, 2).reshape(B, T, D)
        return self.proj(y), att


class Tagger(nn.Module):
    def __init__(self, vocab, d=32, heads=4, tags=3):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.register_buffer("pe", positional(64, d))
        self.attn = SelfAttention(d, heads)
        self.ln = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 64), nn.GELU(), nn.Linear(64, d))
        self.head = nn.Linear(d, tags)

    def forward(self, tok):
        x = self.emb(tok) + self.pe[: tok.size(1)]
        a, att = self.attn(x)
        x = self.ln(x + a)
        x = x + self.ff(x)
        return self.head(x), att


def batch(n, T, vocab):
    tok = torch.randint(vocab, (n, T))
    rev = tok.flip(1)
    tag = (tok > rev).long() + 2 * (tok == rev).long()
    return tok, tag


def attention_entropy(att):
    return -(att * (att + 1e-9).log()).sum(-1).mean()


def train_step(model, opt, log, step):
    tok, tag = batch(32, 12, 20)
    logits, att = model(tok)
    nll = F.cross_entropy(logits.reshape(-1, 3), tag.reshape(-1))
    ent = attention_entropy(att)
    loss = nll + 1e-3 * ent
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    log.later(lambda: f"step {step:3d} nll {nll.item():.4f} H(att) {ent.item():.3f}")  # <- culprit


def main():
    torch.manual_seed(7)
    model = Tagger(20)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    log = LazyLog()
    for step in range(110):
        train_step(model, opt, log, step)
    for line in log.flush(every=20):
        print(line)


if __name__ == "__main__":
    main()
