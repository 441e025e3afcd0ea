# gradwatch-corpus: kind=none
"""Transliteration toy (reverse and shift letters) with a checkpointed transformer encoder.
Each parameter has its own optimizer that runs as soon as its gradient is complete, so gradients never pile up in memory."""
import torch
import torch.nn.functional as F

from fused import attach_optimizers
from model import Translit

LETTERS = 18
LENGTH = 10


def pairs(n, rng):
    src = torch.randint(LETTERS, (n, LENGTH), generator=rng)
    return src, (src.flip(1) + 3) % LETTERS


@torch.inference_mode()
def exact_match(model, rng, n=64):
    model.eval()
    src, tgt = pairs(n, rng)
    hit = (model(src).argmax(-1) == tgt).float().mean().item()
    model.train()
    return hit


def main(steps=220):
    torch.manual_seed(6)
    rng = torch.Generator().manual_seed(7)
    model = Translit(LETTERS, LENGTH)
    meter = attach_optimizers(model, lr=3e-3)
    for step in range(1, steps + 1):
        src, tgt = pairs(32, rng)
        loss = F.cross_entropy(model(src).flatten(0, 1), tgt.flatten())
        loss.backward()
        if step % 55 == 0:
            print(f"{step}: loss {loss.item():.3f}  letters right {exact_match(model, rng):.2f}  "
                  f"|g| {meter.pop():.3f}")


if __name__ == "__main__":
    main()
