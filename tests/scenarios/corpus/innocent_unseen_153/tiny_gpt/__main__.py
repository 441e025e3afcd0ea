# gradwatch-corpus: kind=none
"""Tiny GPT on modular arithmetic strings: warm-up + cosine, micro-batches, gradient clipping."""
import math

import torch

from .data import get_batch, vocab_size
from .model import GPT

torch.set_num_threads(1)
torch.manual_seed(1337)

accum_steps, max_iters, warmup, base_lr = 2, 60, 10, 3e-3


def lr_at(it):
    if it < warmup:
        return base_lr * (it + 1) / warmup
    return base_lr * 0.5 * (1 + math.cos(math.pi * (it - warmup) / (max_iters - warmup)))


@torch.no_grad()
def estimate_loss(model, iters=3):
    model.eval()
    losses = torch.zeros(iters)
    for k in range(iters):
        losses[k] = model(*get_batch(16))[1]
    model.train()
    return losses.mean().item()


model = GPT(vocab_size, block=12, d=32, heads=2, layers=2)
decay = [p for p in model.parameters() if p.dim() > 1]
rest = [p for p in model.parameters() if p.dim() <= 1]
opt = torch.optim.AdamW([{"params": decay, "weight_decay": 0.1}, {"params": rest, "weight_decay": 0.0}], lr=base_lr)
opt.zero_grad(set_to_none=True)
for it in range(max_iters):
    for g in opt.param_groups:
        g["lr"] = lr_at(it)
    lossf = 0.0
    for micro in range(accum_steps):
        x, y = get_batch(16)
        logits, loss = model(x, y)
        loss = loss / accum_steps
        loss.backward()
        lossf += loss.item()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    opt.zero_grad(set_to_none=True)
    if it % 20 == 0:
        print(f"iter {it}: loss {lossf:.4f}, val {estimate_loss(model):.4f}")
print("final val", estimate_loss(model))
