import math

import torch
import torch.nn.functional as F


def segments(stream, seg_len):
    for start in range(0, stream.size(1) - seg_len - 1, seg_len):
        yield stream[:, start:start + seg_len], stream[:, start + 1:start + seg_len + 1]


def train(model, stream, seg_len, steps, lr):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    model.train()
    mems = None
    smoothed = None
    for i, (x, y) in enumerate(segments(stream, seg_len)):
        logits, mems = model(x, mems)
        loss = F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimizer.step()
        scheduler.step()
        value = loss.item()
        smoothed = value if smoothed is None else 0.95 * smoothed + 0.05 * value
        if i % 25 == 0:
            print("seg %3d | loss %.4f | mem %d" % (i, smoothed, mems[0].size(1)))


@torch.no_grad()
def perplexity(model, stream, seg_len):
    model.eval()
    mems = None
    total = 0.0
    n = 0
    for x, y in segments(stream, seg_len):
        logits, mems = model(x, mems)
        total += F.cross_entropy(logits.reshape(-1, logits.size(-1)), y.reshape(-1)).item()
        n += 1
    return math.exp(total / n)
