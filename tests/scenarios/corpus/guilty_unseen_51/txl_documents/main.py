# gradwatch-corpus: kind=second-backward
# holder: mems | new_mems
# first-bad: 15
"""Transformer-XL on documents of mixed length, shortest documents first."""
import random

import torch
import torch.nn.functional as F

from documents import curriculum, segments
from txl import TinyXL

SEG_LEN = 16
MEM_LEN = 16
BATCH = 8
EPOCHS = 2


def run_epoch(model, opt, docs, epoch):
    seen, total = 0, 0.0
    for doc in docs:
        mems = None
        for x, y in segments(doc, SEG_LEN):
            logits, mems = model(x, mems)  # <- culprit
            loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
            opt.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            total += loss.item()
            seen += 1
            if seen % 10 == 0:
                print(f"epoch {epoch} segment {seen}: {total / seen:.3f}")
    return total / seen


def main():
    torch.manual_seed(13)
    random.seed(13)
    docs = curriculum(n_short=14, n_long=12, seg_len=SEG_LEN, batch=BATCH)
    model = TinyXL(vocab=40, dim=32, depth=2, heads=4, mem_len=MEM_LEN)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(EPOCHS):
        print(f"epoch {epoch} mean {run_epoch(model, opt, docs, epoch):.3f}")


if __name__ == "__main__":
    main()
