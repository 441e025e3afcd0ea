# gradwatch-corpus: kind=memory-climb
# holder: self.past | layer.past | self.layers[0].past | lm.layers[0].past | lm.layers[1].past
# first-bad: 1
# notice: 100
"""Segment-level recurrence: each layer attends to its inputs of the last two segments."""
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(30)

VOCAB, DIM, HEADS, LAYERS = 32, 48, 4, 2
BATCH, SEG, CONTEXT_SEGS, STEPS = 12, 64, 1, 170


class RecurrentLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln_a, self.ln_b = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.to_q = nn.Linear(DIM, DIM, bias=False)
        self.to_kv = nn.Linear(DIM, 2 * DIM, bias=False)
        self.out = nn.Linear(DIM, DIM)
        self.mlp = nn.Sequential(nn.Linear(DIM, 2 * DIM), nn.SiLU(), nn.Linear(2 * DIM, DIM))
        self.past = []

    def heads(self, t):
        return t.unflatten(-1, (HEADS, DIM // HEADS)).transpose(1, 2)

    def forward(self, x):
        ctx = torch.cat(self.past[-CONTEXT_SEGS:] + [x], dim=1)
        self.past.append(x.detach().clone())  # <- culprit
        n, m = x.size(1), ctx.size(1)
        norm = self.ln_a(ctx)
        k, v = self.to_kv(norm).chunk(2, dim=-1)
        mask = torch.ones(n, m, dtype=torch.bool).tril(diagonal=m - n)
        att = F.scaled_dot_product_attention(
            self.heads(self.to_q(norm[:, -n:])), self.heads(k), self.heads(v), attn_mask=mask)
        x = x + self.out(att.transpose(1, 2).flatten(2))
        return x + self.mlp(self.ln_b(x))

    def forget(self):
        self.past = []


class SegmentLM(nn.Module):
    def __init__(self):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, DIM)
        self.layers = nn.ModuleList([RecurrentLayer() for _ in range(LAYERS)])
        self.norm = nn.LayerNorm(DIM)

    def forward(self, ids):
        x = self.tok(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x) @ self.tok.weight.t()


def book(length, batch):
    """A long text per row: a slow random walk with a repeated theme."""
    theme = torch.randint(VOCAB, (batch, 23))
    drift = torch.randint(-1, 2, (batch, length)).cumsum(1) // 6
    return (theme.repeat(1, length // 23 + 1)[:, :length] + drift) % VOCAB


lm = SegmentLM()
opt = torch.optim.AdamW(lm.parameters(), lr=2e-3, betas=(0.9, 0.95))
text = book(STEPS * SEG + 1, BATCH)

began = time.time()
for i in range(STEPS):
    x = text[:, i * SEG: (i + 1) * SEG]
    y = text[:, i * SEG + 1: (i + 1) * SEG + 1]
    loss = F.cross_entropy(lm(x).flatten(0, 1), y.flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(lm.parameters(), 1.0)
    opt.step()
    if i % 34 == 33:
        print(f"segment {i + 1}/{STEPS} loss {loss.item():.3f} {time.time() - began:.1f}s")

for layer in lm.layers:
    layer.forget()
