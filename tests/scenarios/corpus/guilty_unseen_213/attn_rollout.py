# gradwatch-corpus: kind=memory-climb
# holder: self.records | recorder.records
# first-bad: 1
import math

import numpy as np
import torch
import torch.nn as nn
from torch.nn import functional as F


class CausalSelfAttention(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.c_attn = nn.Linear(n_embd, 3 * n_embd)
        self.c_proj = nn.Linear(n_embd, n_embd)
        self.n_head = n_head

    def forward(self, x):
        B, T, C = x.size()
        q, k, v = (t.view(B, T, self.n_head, -1).transpose(1, 2) for t in self.c_attn(x).split(C, dim=2))
        att = (q @ k.transpose(-2, -1)) / math.sqrt(C // self.n_head)
        mask = torch.ones(T, T, dtype=torch.bool).tril()
        att = F.softmax(att.masked_fill(~mask, float("-inf")), dim=-1)
        self.att = att.detach()
        return self.c_proj((att @ v).transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        self.attn = CausalSelfAttention(n_embd, n_head)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, vocab=32, block=32, n_layer=2, n_head=2, n_embd=32):
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocab, n_embd), nn.Embedding(block, n_embd)
        self.h = nn.ModuleList(Block(n_embd, n_head) for _ in range(n_layer))
        self.ln_f = nn.LayerNorm(n_embd)
        self.lm_head = nn.Linear(n_embd, vocab, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx, targets):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1)))
        for blk in self.h:
            x = blk(x)
        logits = self.lm_head(self.ln_f(x))
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())


class AttentionRecorder:
    """Summarises how sharp each head is; the sharpest map seen so far is kept for plotting."""

    def __init__(self, model):
        self.model = model
        self.records = []
        self.sharpest = (float("inf"), None)

    def entropy(self, maps):
        return float(-(maps * np.log(maps + 1e-9)).sum(-1).mean())

    def after_step(self, it):
        maps = np.stack([blk.attn.att.numpy().copy() for blk in self.model.h])
        ent = self.entropy(maps)
        if ent < self.sharpest[0]:
            self.sharpest = (ent, maps[:, 0])
        self.records.append({"iter": it, "maps": maps, "entropy": ent})  # <- culprit

    def summary(self):
        return np.mean([r["entropy"] for r in self.records[-20:]])


def get_batch(data, bs=8, block=32):
    ix = torch.randint(len(data) - block - 1, (bs,))
    return torch.stack([data[i:i + block] for i in ix]), torch.stack([data[i + 1:i + 1 + block] for i in ix])


if __name__ == "__main__":
    torch.manual_seed(1337)
    max_iters = 220
    motif = torch.randint(0, 32, (17,))
    data = motif.repeat(120)
    noise = torch.rand(len(data)) < 0.05
    data[noise] = torch.randint(0, 32, (int(noise.sum()),))

    model = GPT()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, betas=(0.9, 0.95))
    recorder = AttentionRecorder(model)
    for iter_num in range(max_iters):
        X, Y = get_batch(data)
        logits, loss = model(X, Y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        recorder.after_step(iter_num)
        if iter_num % 50 == 0:
            print(f"iter {iter_num}: loss {loss.item():.4f}, attn entropy {recorder.summary():.3f}")
