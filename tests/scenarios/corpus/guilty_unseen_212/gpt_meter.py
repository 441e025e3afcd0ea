# gradwatch-corpus: kind=graph-held
# holder: self.total | meters["loss"].total | meters[name].total
# first-bad: 1
"""nanoGPT style trainer on modular-addition strings."""
import contextlib
import math
import time

import torch
import torch.nn as nn
from torch.nn import functional as F

# -----------------------------------------------------------------------------
block_size = 12
batch_size = 24
n_layer = 2
n_head = 2
n_embd = 32
max_iters = 120
warmup_iters = 15
learning_rate = 3e-3
min_lr = 3e-4
log_interval = 30
grad_clip = 1.0
# -----------------------------------------------------------------------------
torch.manual_seed(1337)
chars = "0123456789+=;"
stoi = {c: i for i, c in enumerate(chars)}
text = "".join(f"{a}+{b}={(a + b) % 97};" for a in range(60) for b in range(0, 97, 3))
data = torch.tensor([stoi[c] for c in text])


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.ln2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        self.qkv = nn.Linear(n_embd, 3 * n_embd, bias=False)
        self.proj = nn.Linear(n_embd, n_embd, bias=False)
        self.mlp = nn.Sequential(nn.Linear(n_embd, 4 * n_embd), nn.GELU(), nn.Linear(4 * n_embd, n_embd))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (z.view(B, T, n_head, C // n_head).transpose(1, 2) for z in self.qkv(self.ln1(x)).split(C, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(y.transpose(1, 2).reshape(B, T, C))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(len(chars), n_embd)
        self.wpe = nn.Embedding(block_size, n_embd)
        self.h = nn.ModuleList(Block() for _ in range(n_layer))
        self.ln_f = nn.LayerNorm(n_embd)
        self.lm_head = nn.Linear(n_embd, len(chars), bias=False)

    def forward(self, idx, targets):
        x = self.wte(idx) + self.wpe.weight[: idx.shape[1]]
        for blk in self.h:
            x = blk(x)
        logits = self.lm_head(self.ln_f(x))
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())


class Meter:
    def __init__(self):
        self.total, self.n = 0.0, 0

    def add(self, value, k=1):
        self.total = self.total + value * k  # <- culprit
        self.n += k

    @property
    def avg(self):
        return float(self.total) / max(self.n, 1)


meters = {"loss": Meter(), "ms": Meter()}


@contextlib.contextmanager
def measured(batch):
    box = {}
    t0 = time.perf_counter()
    yield box
    meters["ms"].add((time.perf_counter() - t0) * 1e3)
    for name, value in box.items():
        meters[name].add(value, len(batch))  # <- culprit


def get_batch():
    ix = torch.randint(len(data) - block_size - 1, (batch_size,))
    return (torch.stack([data[i:i + block_size] for i in ix]),
            torch.stack([data[i + 1:i + 1 + block_size] for i in ix]))


def get_lr(it):
    if it < warmup_iters:
        return learning_rate * (it + 1) / warmup_iters
    r = (it - warmup_iters) / (max_iters - warmup_iters)
    return min_lr + 0.5 * (1 + math.cos(math.pi * r)) * (learning_rate - min_lr)


model = GPT()
optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate, betas=(0.9, 0.95), weight_decay=0.1)
for iter_num in range(max_iters):
    for group in optimizer.param_groups:
        group["lr"] = get_lr(iter_num)
    X, Y = get_batch()
    with measured(X) as out:
        logits, loss = model(X, Y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), grad_clip)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        out["loss"] = loss  # <- culprit
    if (iter_num + 1) % log_interval == 0:
        print(f"iter {iter_num + 1}: loss {meters['loss'].avg:.4f}, {meters['ms'].avg:.1f}ms")
