# gradwatch-corpus: kind=none
"""A small character GPT, in the manner of nanoGPT's train.py."""
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(1337)


@dataclass
class GPTConfig:
    block_size: int = 24
    vocab_size: int = 32
    n_layer: int = 2
    n_head: int = 2
    n_embd: int = 32


class CausalSelfAttention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.n_head = cfg.n_head
        self.c_attn = nn.Linear(cfg.n_embd, 3 * cfg.n_embd)
        self.c_proj = nn.Linear(cfg.n_embd, cfg.n_embd)

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (t.view(B, T, self.n_head, -1).transpose(1, 2) for t in self.c_attn(x).split(C, 2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.c_proj(y.transpose(1, 2).reshape(B, T, C))


class Block(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.ln_1, self.ln_2 = nn.LayerNorm(cfg.n_embd), nn.LayerNorm(cfg.n_embd)
        self.attn = CausalSelfAttention(cfg)
        self.mlp = nn.Sequential(nn.Linear(cfg.n_embd, 4 * cfg.n_embd), nn.GELU(),
                                 nn.Linear(4 * cfg.n_embd, cfg.n_embd))

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class GPT(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.wte = nn.Embedding(cfg.vocab_size, cfg.n_embd)
        self.wpe = nn.Embedding(cfg.block_size, cfg.n_embd)
        self.h = nn.ModuleList(Block(cfg) for _ in range(cfg.n_layer))
        self.ln_f = nn.LayerNorm(cfg.n_embd)
        self.lm_head = nn.Linear(cfg.n_embd, cfg.vocab_size, bias=False)
        self.lm_head.weight = self.wte.weight

    def forward(self, idx, targets):
        x = self.wte(idx) + self.wpe(torch.arange(idx.size(1)))
        for block in self.h:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())


cfg = GPTConfig()
data = (torch.arange(6000) * 7 % 31 + torch.randint(0, 2, (6000,))) % cfg.vocab_size
splits = {"train": data[:5000], "val": data[5000:]}
max_iters, accum, eval_interval, base_lr, warmup = 100, 4, 25, 3e-3, 10


def get_batch(split, bs=4):
    d = splits[split]
    ix = torch.randint(len(d) - cfg.block_size - 1, (bs,)).tolist()
    return (torch.stack([d[i:i + cfg.block_size] for i in ix]),
            torch.stack([d[i + 1:i + 1 + cfg.block_size] for i in ix]))


def get_lr(it):
    if it < warmup:
        return base_lr * (it + 1) / warmup
    return 1e-4 + 0.5 * (base_lr - 1e-4) * (1 + math.cos(math.pi * it / max_iters))


model = GPT(cfg)
optimizer = torch.optim.AdamW(model.parameters(), lr=base_lr, betas=(0.9, 0.95))


@torch.no_grad()
def estimate_loss(iters=3):
    model.eval()
    out = {s: sum(model(*get_batch(s))[1] for _ in range(iters)) / iters for s in splits}
    model.train()
    return out


evals, best_val = [], 1e9
X, Y = get_batch("train")
for it in range(max_iters):
    for g in optimizer.param_groups:
        g["lr"] = get_lr(it)
    if it % eval_interval == 0:
        losses = estimate_loss()
        evals.append(losses)
        if losses["val"] < best_val:
            best_val = losses["val"]
            checkpoint = {"model": model.state_dict(), "iter": it, "best": best_val}
    for micro in range(accum):
        logits, loss = model(X, Y)
        loss = loss / accum
        X, Y = get_batch("train")
        loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
print(f"best val {best_val:.3f}, last {loss.item() * accum:.3f}")
