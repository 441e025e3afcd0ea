# gradwatch-corpus: kind=memory-climb
# holder: view_spectrogram | view_spectrogram.cache_info() | lru_cache | functools.lru_cache | view_spectrogram.__wrapped__
# first-bad: 1
"""Self-supervised clip embeddings: two randomly stretched and shifted views of each clip, a
log-spectrogram encoder, and a VICReg-style objective with an EMA copy for retrieval."""
import copy
import functools
import math
import random

import torch
import torch.nn.functional as F
from torch import nn

CLIPS, SAMPLES, WIN, HOP = 40, 4096, 128, 64
BATCH, STEPS, DIM = 8, 220, 32


@functools.lru_cache(maxsize=1)
def clip_bank():
    gen = torch.Generator().manual_seed(100)
    t = torch.arange(2 * SAMPLES) / 8000.0
    f0 = 120 + 900 * torch.rand(CLIPS, 1, generator=gen)
    fm = 2 + 6 * torch.rand(CLIPS, 1, generator=gen)
    tone = torch.sin(2 * math.pi * f0 * t + 3 * torch.sin(2 * math.pi * fm * t))
    return tone + 0.1 * torch.randn(tone.shape, generator=gen)


@functools.lru_cache(maxsize=None)  # <- culprit
def view_spectrogram(clip, offset, gain):
    """Log power of one view; the transform is the slow part, so it is remembered."""
    wave = clip_bank()[clip, offset:offset + SAMPLES] * gain
    spec = torch.stft(wave, WIN, HOP, window=torch.hann_window(WIN), return_complex=True)
    return torch.log1p(spec.abs().pow(2))


def sample_view(clip, rng):
    return view_spectrogram(clip, rng.randrange(SAMPLES), rng.uniform(0.5, 1.5))  # <- culprit


def sample_pair(rng):
    clips = rng.sample(range(CLIPS), BATCH)
    first = torch.stack([sample_view(c, rng) for c in clips])
    second = torch.stack([sample_view(c, rng) for c in clips])
    return first, second


class ClipEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        bins = WIN // 2 + 1
        self.conv = nn.Conv1d(bins, 32, 5, stride=2)
        self.head = nn.Sequential(nn.Linear(32, 48), nn.ReLU(), nn.Linear(48, DIM))

    def forward(self, spec):
        return self.head(F.relu(self.conv(spec)).mean(-1))


class Ema:
    def __init__(self, model, decay):
        self.decay = decay
        self.shadow = copy.deepcopy(model).requires_grad_(False).eval()

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def vicreg(a, b):
    agree = F.mse_loss(a, b)
    total = 10.0 * agree
    for z in (a, b):
        z = z - z.mean(0)
        std = (z.var(0) + 1e-4).sqrt()
        cov = (z.T @ z) / (len(z) - 1)
        off = cov - torch.diag(torch.diagonal(cov))
        total = total + 10.0 * F.relu(1 - std).mean() + off.pow(2).sum() / DIM
    return total


@torch.no_grad()
def retrieval(model):
    gallery = torch.stack([view_spectrogram(c, 0, 1.0) for c in range(CLIPS)])
    query = torch.stack([view_spectrogram(c, SAMPLES // 2, 1.0) for c in range(CLIPS)])
    sim = F.normalize(model(query), dim=-1) @ F.normalize(model(gallery), dim=-1).T
    return (sim.argmax(1) == torch.arange(CLIPS)).float().mean().item()


def main():
    torch.manual_seed(101)
    torch.set_num_threads(1)
    rng = random.Random(102)
    model = ClipEncoder()
    ema = Ema(model, 0.97)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for step in range(STEPS):
        first, second = sample_pair(rng)
        loss = vicreg(model(first), model(second))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
        if step % 55 == 54:
            print(f"step {step + 1:3d}  loss {loss.item():.3f}  retrieval {retrieval(ema.shadow):.2f}")


if __name__ == "__main__":
    main()
