# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MemAttention(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.h = h
        self.dk = d // h
        self.q = nn.Linear(d, d, bias=False)
        self.kv = nn.Linear(d, 2 * d, bias=False)
        self.o = nn.Linear(d, d, bias=False)
        self.rel = nn.Parameter(torch.zeros(h, 64))

    def forward(self, x, mem):
        B, T, D = x.shape
        cat = x if mem is None else torch.cat([mem, x], dim=1)
        S = cat.size(1)
        q = self.q(x).view(B, T, self.h, self.dk).transpose(1, 2)
        k, v = self.kv(cat).view(B, S, 2, self.h, self.dk).permute(2, 0, 3, 1, 4)
        i = torch.arange(T)[:, None] + (S - T)
        j = torch.arange(S)[None, :]
        dist = (i - j).clamp(0, 63)
        score = q @ k.transpose(-1, -2) / math.sqrt(self.dk) + self.rel[:, dist]
        score = score.masked_fill(j > i, float("-inf"))
        y = F.softmax(score, -1) @ v
        return self.o(y.transpose(1, 2).reshape(B, T, D))


class Block(nn.Module):
    def __init__(self, d, h):
        super().__init__()
        self.att = MemAttention(d, h)
        self.n1 = nn.LayerNorm(d)
        self.n2 = nn.LayerNorm(d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.ReLU(), nn.Linear(2 * d, d))

    def forward(self, x, mem):
        x = self.n1(x + self.att(x, mem))
        return self.n2(x + self.ff(x))


class TransformerXL(nn.Module):
    def __init__(self, vocab, d=32, h=4, n_layer=2, mem_len=16):
        super().__init__()
        self.emb = nn.Embedding(vocab, d)
        self.layers = nn.ModuleList(Block(d, h) for _ in range(n_layer))
        self.head = nn.Linear(d, vocab)
        self.mem_len = mem_len
        self.mems = [None] * n_layer

    def _update_mems(self, hids):
        with torch.no_grad():
            new = []
            for m, h in zip(self.mems, hids):
                cat = h if m is None else torch.cat([m, h], dim=1)
                new.append(cat[:, -self.mem_len:].detach())
        self.mems = new

    def forward(self, tok):
        x = self.emb(tok)
        hids = []
        for layer, mem in zip(self.layers, self.mems):
            hids.append(x)
            x = layer(x, mem)
        self._update_mems(hids)
        return self.head(x)


def stream(B, T, vocab):
    base = torch.randint(vocab, (B, 20))
    return base.repeat(1, T // 20 + 1)[:, :T]


torch.manual_seed(1234)
vocab = 15
bptt = 10
model = TransformerXL(vocab)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
data = stream(8, bptt * 90 + 1, vocab)

for it in range(90):
    a = it * bptt
    x = data[:, a:a + bptt]
    y = data[:, a + 1:a + bptt + 1]
    logits = model(x)
    loss = F.cross_entropy(logits.reshape(-1, vocab), y.reshape(-1))
    opt.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 0.25)
    opt.step()
    if it % 30 == 0:
        print(f"| batch {it} | ppl {math.exp(loss.item()):.2f}")
