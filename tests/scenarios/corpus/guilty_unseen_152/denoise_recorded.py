# gradwatch-corpus: kind=graph-held
# holder: calls | wrapper.calls | spectral_distance.calls
# first-bad: 1
"""Trains a small convolutional denoiser on synthetic tones."""
import functools
import math
import statistics
import time

import torch
from torch import nn

SR = 8000
CLIP = 512


def recorded(fn):
    """Keeps duration and result of every call, for the profile at the end."""
    calls = []

    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        result = fn(*args, **kwargs)
        calls.append((time.perf_counter() - start, result))  # <- culprit
        return result

    wrapper.calls = calls
    return wrapper


@recorded
def spectral_distance(estimate, clean, sizes=(64, 128)):
    total = estimate.new_zeros(())
    for n in sizes:
        window = torch.hann_window(n)
        a = torch.stft(estimate, n, n // 2, window=window, return_complex=True).abs()
        b = torch.stft(clean, n, n // 2, window=window, return_complex=True).abs()
        total = total + (a - b).abs().mean()
    return total / len(sizes)


class Denoiser(nn.Module):
    def __init__(self, channels=8, depth=3):
        super().__init__()
        layers = [nn.Conv1d(1, channels, 9, padding=4)]
        for k in range(depth - 1):
            layers += [nn.GELU(), nn.Conv1d(channels, channels, 9, padding=4 * 2 ** k, dilation=2 ** k)]
        self.body = nn.Sequential(*layers)
        self.out = nn.Conv1d(channels, 1, 1)

    def forward(self, noisy):
        return noisy - self.out(self.body(noisy.unsqueeze(1))).squeeze(1)


def tones(n, gen):
    t = torch.arange(CLIP) / SR
    freq = 150 + 800 * torch.rand(n, 1, generator=gen)
    amp = 0.3 + 0.7 * torch.rand(n, 1, generator=gen)
    clean = amp * torch.sin(2 * math.pi * freq * t)
    return clean + 0.2 * torch.randn(n, CLIP, generator=gen), clean


def train(steps=80, batch=8):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(1)
    model = Denoiser()
    optim = torch.optim.Adam(model.parameters(), 2e-3)
    for step in range(steps):
        noisy, clean = tones(batch, gen)
        estimate = model(noisy)
        loss = (estimate - clean).abs().mean() + 0.5 * spectral_distance(estimate, clean)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if step % 20 == 0:
            print(f"step {step:3d}  loss {loss.item():.4f}")
    return model


if __name__ == "__main__":
    train()
    durations = [seconds for seconds, _ in spectral_distance.calls]
    print(f"spectral_distance: {len(durations)} calls, median {1e3 * statistics.median(durations):.2f} ms")
    print(f"first {float(spectral_distance.calls[0][1]):.4f} last {float(spectral_distance.calls[-1][1]):.4f}")
