# gradwatch-corpus: kind=graph-chain
# holder: self.phase | voice.phase | self.voice.phase | synth.phase
# first-bad: 1
"""Resynthesis of sung notes frame by frame: frozen spectral encoder, trained pitch head, harmonic oscillator.
The oscillator runs through from frame to frame so that there are no clicks at the borders."""
import contextlib
import math
import time

import torch
import torch.nn.functional as F
from torch import nn

RATE = 8000
FRAME = 200
VOICES = 6


class SungNotes:
    """Slow glissandi with vibrato; gives consecutive frames of the same performance."""

    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.center = 150 + 150 * torch.rand(VOICES, 1, generator=self.rng)
        self.rate = 3 + 3 * torch.rand(VOICES, 1, generator=self.rng)

    def frames(self, n):
        phase = torch.zeros(VOICES, 1)
        for k in range(n):
            t = (k * FRAME + torch.arange(FRAME)) / RATE
            f0 = self.center * (1 + 0.03 * torch.sin(2 * math.pi * self.rate * t) + 0.1 * torch.sin(0.5 * t))
            angle = phase + torch.cumsum(2 * math.pi * f0 / RATE, dim=-1)
            phase = angle[:, -1:] % (2 * math.pi)
            wave = sum(torch.sin(h * angle) / h for h in (1, 2, 3))
            yield wave + 0.01 * torch.randn(VOICES, FRAME, generator=self.rng)


class FrozenEncoder(nn.Module):
    def __init__(self, dim=48):
        super().__init__()
        self.register_buffer("window", torch.hann_window(FRAME))
        self.mix = nn.Linear(FRAME // 2 + 1, dim)
        self.requires_grad_(False)
        self.eval()

    @torch.no_grad()
    def forward(self, wave):
        spectrum = torch.fft.rfft(wave * self.window).abs()
        return torch.tanh(self.mix(torch.log1p(spectrum)))


class HarmonicVoice(nn.Module):
    def __init__(self, dim=48, harmonics=3, low=80.0, high=500.0):
        super().__init__()
        self.low, self.high = low, high
        self.head = nn.Linear(dim, 1)
        self.log_amp = nn.Parameter(torch.zeros(harmonics))
        self.register_buffer("order", torch.arange(1, harmonics + 1, dtype=torch.float32))
        self.phase = torch.zeros(VOICES, 1)

    def pitch(self, features):
        return self.low + (self.high - self.low) * torch.sigmoid(self.head(features))

    def forward(self, features):
        f0 = self.pitch(features)
        increment = (2 * math.pi / RATE) * f0.expand(-1, FRAME)
        angle = self.phase + torch.cumsum(increment, dim=-1)
        self.phase = angle[:, -1:]  # <- culprit
        partials = torch.sin(angle.unsqueeze(-1) * self.order)
        amp = torch.softmax(self.log_amp, 0) * 2
        return (partials * amp).sum(-1), f0


def spectral_distance(a, b):
    total = a.new_zeros(())
    for size in (64, 128):
        frames_a = torch.fft.rfft(a.unfold(-1, size, size // 2)).abs()
        frames_b = torch.fft.rfft(b.unfold(-1, size, size // 2)).abs()
        total = total + F.l1_loss(torch.log1p(frames_a), torch.log1p(frames_b))
    return total


@contextlib.contextmanager
def stopwatch(label):
    begin = time.perf_counter()
    yield
    print(f"{label}: {time.perf_counter() - begin:.1f} s")


class Resynthesis:
    def __init__(self, seed=9):
        torch.manual_seed(seed)
        self.encoder = FrozenEncoder()
        self.voice = HarmonicVoice()
        self.optimizer = torch.optim.Adam(self.voice.parameters(), lr=5e-3)

    def step(self, wave):
        rendered, f0 = self.voice(self.encoder(wave))
        loss = spectral_distance(rendered, wave) + 0.1 * F.mse_loss(rendered, wave)
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        return loss.item(), f0.mean().item()

    def fit(self, frames):
        for k, wave in enumerate(SungNotes(seed=31).frames(frames)):
            value, pitch = self.step(wave)
            if k % 50 == 0:
                print(f"frame {k:4d}  distance {value:.3f}  mean pitch {pitch:.0f} Hz")


if __name__ == "__main__":
    with stopwatch("fit"):
        Resynthesis().fit(frames=220)
