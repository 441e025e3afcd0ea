# gradwatch-corpus: kind=none
"""Attention over the present segment and a memory of former segments, as in Transformer-XL."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(31)
VOCAB, SEG, BATCH, DIM = 24, 8, 4, 32


class MemoryAttention(nn.Module):
    def __init__(self, dim, mem_len):
        super().__init__()
        self.q, self.kv, self.o = nn.Linear(dim, dim), nn.Linear(dim, 2 * dim), nn.Linear(dim, dim)
        self.ff = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.mem_len = mem_len
        self.mem = None

    def remember(self, h):
        grown = h if self.mem is None else torch.cat([self.mem, h], 1)
        self.mem = grown[:, -self.mem_len:].detach()

    def forward(self, h):
        ctx = h if self.mem is None else torch.cat([self.mem, h], 1)
        self.remember(h)
        k, v = self.kv(ctx).chunk(2, -1)
        past = ctx.size(1) - h.size(1)
        mask = torch.ones(h.size(1), ctx.size(1), dtype=torch.bool).tril(past)
        h = h + self.o(F.scaled_dot_product_attention(self.q(h), k, v, attn_mask=mask))
        return h + self.ff(h)


class SegmentLM(nn.Module):
    def __init__(self, layers=2, mem_len=640):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList(MemoryAttention(DIM, mem_len) for _ in range(layers))
        self.norm = nn.LayerNorm(DIM)
        self.per_layer = []

    def forward(self, ids):
        h = self.emb(ids)
        self.per_layer = [h]
        for layer in self.layers:
            h = layer(h)
            self.per_layer.append(h)
        return self.norm(h) @ self.emb.weight.T

    def memory_tokens(self):
        return sum(l.mem.size(1) for l in self.layers)


def corpus(n):
    step = torch.randint(1, 4, (BATCH, 1))
    base = torch.arange(n)[None] * step
    noise = (torch.rand(BATCH, n) < 0.05) * torch.randint(0, VOCAB, (BATCH, n))
    return (base + noise) % VOCAB


ids = corpus(SEG * 130 + 1)
model = SegmentLM()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 30))
curve = []
for seg in range(130):
    a = seg * SEG
    logits = model(ids[:, a:a + SEG])
    nll = F.cross_entropy(logits.flatten(0, 1), ids[:, a + 1:a + SEG + 1].flatten())
    smooth = sum((u - w).pow(2).mean() for u, w in zip(model.per_layer, model.per_layer[1:]))
    opt.zero_grad()
    (nll + 1e-3 * smooth).backward()
    opt.step()
    sched.step()
    curve.append(nll.detach())
    if seg % 20 == 0:
        print(f"segment {seg} memory {model.memory_tokens()} nll {curve[-1]:.3f}")
