# gradwatch-corpus: kind=memory-climb
# holder: block_mask | masks.block_mask | block_mask.cache | lru_cache | masks.block_mask.__wrapped__ | segments
# first-bad: 1
"""Small causal LM on packed documents: several short texts to a row, attention kept inside of each text."""
import torch
from torch import nn
from torch.nn import functional as F

from data import packed_batches
from model import PackedLM


def lr_at(step, peak=2e-3, warmup=30, total=240):
    if step < warmup:
        return (step + 1) / warmup * peak
    return peak * max(0.1, 1 - (step - warmup) / (total - warmup))


def train(steps=240, batch=4, length=128):
    torch.manual_seed(3)
    model = PackedLM(vocab=30, width=32, heads=2, depth=1, length=length)
    opt = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    seen = 0
    for step, (tokens, segments) in zip(range(steps), packed_batches(batch, length, seed=3)):
        for group in opt.param_groups:
            group["lr"] = lr_at(step)
        logits = model(tokens, segments)
        same = segments[:, 1:] == segments[:, :-1]
        loss = F.cross_entropy(logits[:, :-1][same], tokens[:, 1:][same])
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        seen += int(same.sum())
        if step % 60 == 0 or step == steps - 1:
            print(f"step {step:4d}  loss {loss.item():.3f}  tokens {seen}")


if __name__ == "__main__":
    train()
