# gradwatch-corpus: kind=none
"""LoRA finetuning of a tiny causal LM: gradient accumulation, warmup-cosine, loss window, EMA of adapters."""
import argparse
import math
from collections import deque
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALinear(nn.Module):
    def __init__(self, base: nn.Linear, r=4, alpha=8, p=0.05):
        super().__init__()
        self.base = base
        for q in self.base.parameters():
            q.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, base.in_features) / math.sqrt(base.in_features))
        self.B = nn.Parameter(torch.zeros(base.out_features, r))
        self.scale, self.drop = alpha / r, nn.Dropout(p)

    def forward(self, x):
        return self.base(x) + self.scale * (self.drop(x) @ self.A.t() @ self.B.t())


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.h = heads
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = (u.view(b, t, self.h, -1).transpose(1, 2) for u in self.qkv(self.n1(x)).chunk(3, -1))
        a = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.o(a.transpose(1, 2).reshape(b, t, d))
        return x + self.ff(self.n2(x))


class TinyLM(nn.Module):
    def __init__(self, vocab=48, d=32, layers=2, ctx=16):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, d), nn.Parameter(0.02 * torch.randn(ctx, d))
        self.blocks = nn.ModuleList(Block(d, 2) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, vocab, bias=False)

    def forward(self, ids):
        x = self.tok(ids) + self.pos[: ids.size(1)]
        for blk in self.blocks:
            x = blk(x)
        return self.head(self.norm(x))


def inject(model):
    for p in model.parameters():
        p.requires_grad_(False)
    for blk in model.blocks:
        blk.qkv = LoRALinear(blk.qkv)
        blk.o = LoRALinear(blk.o)
    return [p for p in model.parameters() if p.requires_grad]


class AdapterEMA:
    def __init__(self, named, decay=0.99):
        self.decay = decay
        self.shadow = {k: p.detach().clone() for k, p in named}

    @torch.no_grad()
    def update(self, named):
        for k, p in named:
            self.shadow[k].lerp_(p, 1 - self.decay)


class LossWindow:
    """Keeps the raw loss tensors of the last n optimizer steps, the mean is taken lazily."""

    def __init__(self, n=32):
        self.items = deque(maxlen=n)

    def push(self, t):
        self.items.append(t)

    @property
    def mean(self):
        return torch.stack(list(self.items)).mean().item()


def warmup_cosine(step, warm, total):
    return (step + 1) / warm if step < warm else 0.5 * (1 + math.cos(math.pi * (step - warm) / (total - warm)))


def main(args):
    torch.set_num_threads(1)
    torch.manual_seed(args.seed)
    model = TinyLM()
    trainable = inject(model)
    named = [(k, p) for k, p in model.named_parameters() if p.requires_grad]
    opt = torch.optim.AdamW(trainable, lr=args.lr, weight_decay=0.0)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, partial(warmup_cosine, warm=20, total=args.steps))
    ema, window, history = AdapterEMA(named), LossWindow(), []
    trans = torch.randn(48, 48).mul(3).softmax(-1)
    for step in range(args.steps):
        opt.zero_grad(set_to_none=True)
        total = 0.0
        for _ in range(args.accum):
            ids = [torch.randint(0, 48, (4,))]
            for _ in range(12):
                ids.append(torch.multinomial(trans[ids[-1]], 1)[:, 0])
            seq = torch.stack(ids, 1)
            loss = F.cross_entropy(model(seq[:, :-1]).flatten(0, 1), seq[:, 1:].flatten())
            (loss / args.accum).backward()
            total = total + loss / args.accum
        nn.utils.clip_grad_norm_(trainable, 1.0)
        opt.step()
        sched.step()
        ema.update(named)
        window.push(total)
        history.append({"step": step, "loss": total.item(), "lr": sched.get_last_lr()[0]})
        if (step + 1) % 60 == 0:
            print(f"step {step + 1} loss(win) {window.mean:.3f} best {min(h['loss'] for h in history):.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=360)
    p.add_argument("--accum", type=int, default=2)
    p.add_argument("--lr", type=float, default=5e-3)
    p.add_argument("--seed", type=int, default=42)
    main(p.parse_args())
