# gradwatch-corpus: kind=none
"""A small LM for melodies with a memory of past segments, and a key/value cache for playing. Samples a bar now and then."""
import torch
from torch import nn
from torch.nn import functional as F

from memory import SegmentMemory
from model import MelodyLM
from tunes import streams


@torch.inference_mode()
def play(model, first, n):
    model.eval()
    cache, token, out = model.empty_cache(), first, []
    for _ in range(n):
        logits = model.one(token, cache)
        token = torch.multinomial((logits / 0.8).softmax(-1), 1).squeeze(1)
        out.append(token)
    model.train()
    return torch.stack(out, 1)


def train(iterations=260):
    torch.manual_seed(13)
    model = MelodyLM(notes=24, d=32, heads=4, depth=2)
    memory = SegmentMemory(depth=2, keep=3)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    smooth = None
    for it, (x, y, new_tune) in zip(range(iterations), streams(batch=6, length=12, notes=24, seed=13)):
        if new_tune:
            memory.forget()
        logits, hidden = model(x, memory.read())
        loss = F.cross_entropy(logits.flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        memory.write(hidden)
        smooth = loss.detach() if smooth is None else smooth.lerp(loss.detach(), 0.05)
        if it % 65 == 64:
            print(f"{it + 1:4d}  nll {smooth:.3f}  ", play(model, x[:1, 0], 10)[0].tolist())


if __name__ == "__main__":
    train()
