# gradwatch-corpus: kind=none
"""Speaker embeddings without labels: momentum contrast on two noisy cuts of the same voice.

Keys of the last batches stay in a queue; two micro-batches make a step.
"""
import copy
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F

SPEAKERS, FRAMES, MELS = 50, 24, 20


class Voices:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.timbre = torch.randn(SPEAKERS, MELS, generator=self.gen)
        self.sway = torch.randn(SPEAKERS, MELS, generator=self.gen)

    def cut(self, who):
        rhythm = torch.randn(len(who), 1, FRAMES, generator=self.gen).cumsum(-1) / 5
        mel = self.timbre[who].unsqueeze(-1) + self.sway[who].unsqueeze(-1) * torch.sin(rhythm)
        return mel + 0.7 * torch.randn(mel.shape, generator=self.gen)

    def pair(self, n):
        who = torch.randint(0, SPEAKERS, (n,), generator=self.gen)
        return self.cut(who), self.cut(who)


class Embedder(nn.Module):
    def __init__(self, width=32, dim=24):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(MELS, width, 3), nn.ReLU(), nn.Conv1d(width, width, 3), nn.ReLU())
        self.proj = nn.Linear(2 * width, dim)

    def forward(self, mel):
        z = self.conv(mel)
        return F.normalize(self.proj(torch.cat([z.mean(-1), z.std(-1)], dim=1)), dim=1)


class MomentumContrast(nn.Module):
    def __init__(self, dim=24, slots=512, temperature=0.1, momentum=0.99):
        super().__init__()
        self.query = Embedder(dim=dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.temperature, self.momentum = temperature, momentum
        self.register_buffer("queue", F.normalize(torch.randn(slots, dim), dim=1))
        self.cursor = 0

    @torch.no_grad()
    def follow(self):
        for slow, fast in zip(self.key.parameters(), self.query.parameters()):
            slow.lerp_(fast, 1 - self.momentum)

    def enqueue(self, keys):
        end = self.cursor + len(keys)
        self.queue[self.cursor:end] = keys
        self.cursor = end % len(self.queue)

    def forward(self, one, two):
        q = self.query(one)
        with torch.no_grad():
            k = self.key(two)
        near = (q * k).sum(1, keepdim=True)
        far = q @ self.queue.clone().t()
        logits = torch.cat([near, far], dim=1) / self.temperature
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)), k


def watch_spread(module, store):
    def hook(_, inputs, output):
        store.append(output.detach().std(dim=0).mean())
    return module.register_forward_hook(hook)


@torch.no_grad()
def retrieval(model, voices, n=100):
    model.eval()
    one, two = voices.pair(n)
    nearest = (model.query(one) @ model.query(two).t()).argmax(1)
    model.train()
    return (nearest == torch.arange(n)).float().mean().item()


def main(steps=220, micro=2, batch=16):
    torch.manual_seed(33)
    voices, model = Voices(seed=33), MomentumContrast()
    optimizer = torch.optim.AdamW(model.query.parameters(), lr=2e-3)
    spread = deque(maxlen=64)
    handle = watch_spread(model.query, spread)
    for step in range(1, steps + 1):
        optimizer.zero_grad()
        total = torch.zeros(())
        fresh = []
        for _ in range(micro):
            loss, keys = model(*voices.pair(batch))
            (loss / micro).backward()
            total += loss.detach() / micro
            fresh.append(keys)
        optimizer.step()
        model.follow()
        model.enqueue(torch.cat(fresh))
        if step % 55 == 0:
            print(f"step {step}: loss {total.item():.3f}  spread {torch.stack(list(spread)).mean().item():.3f}"
                  f"  top-1 {retrieval(model, voices):.2f}")
    handle.remove()


if __name__ == "__main__":
    main()
