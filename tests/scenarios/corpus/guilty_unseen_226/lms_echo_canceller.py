# gradwatch-corpus: kind=graph-chain
# holder: taps
# first-bad: 1
"""Acoustic echo canceller, block LMS, with the error weighted by a perceptual curve.

We let autograd do the gradient since the weighting is in the frequency domain.
"""
import math

import numpy as np
import torch

FS = 8000
BLOCK = 512
N_TAPS = 64
N_BLOCKS = 150
MU = 0.05


def make_room(n_taps, rng):
    decay = np.exp(-np.arange(n_taps) / 12.0)
    rir = rng.normal(size=n_taps) * decay
    return rir / np.linalg.norm(rir)


def make_far_end(n, rng):
    white = rng.normal(size=n)
    out = np.zeros(n)
    for i in range(1, n):
        out[i] = 0.7 * out[i - 1] + white[i]
    return out / out.std()


def perceptual_curve(n_bins):
    f = torch.linspace(0, FS / 2, n_bins)
    return 1.0 / (1.0 + ((f - 1500.0) / 1200.0) ** 2)


def fir(signal, taps):
    frames = signal.unfold(0, taps.numel(), 1)
    return frames @ taps.flip(0)


def block_cost(far, mic, taps, curve):
    echo = fir(far, taps)
    err = mic - echo
    spec = torch.fft.rfft(err * torch.hann_window(err.numel()))
    power = spec.real ** 2 + spec.imag ** 2
    return (power * curve).mean() / err.numel(), err


rng = np.random.default_rng(11)
torch.manual_seed(11)
room = make_room(N_TAPS, rng)
far_all = make_far_end(N_BLOCKS * BLOCK + N_TAPS, rng)
mic_all = np.convolve(far_all, room)[: far_all.size]
mic_all = mic_all + 0.01 * rng.normal(size=mic_all.size)
far_all = torch.tensor(far_all, dtype=torch.float32)
mic_all = torch.tensor(mic_all, dtype=torch.float32)

curve = perceptual_curve(BLOCK // 2 + 1)
taps = torch.zeros(N_TAPS, requires_grad=True)
erle = []

for b in range(N_BLOCKS):
    start = b * BLOCK
    far = far_all[start: start + BLOCK + N_TAPS - 1]
    mic = mic_all[start + N_TAPS - 1: start + BLOCK + N_TAPS - 1]
    cost, err = block_cost(far, mic, taps, curve)
    (g,) = torch.autograd.grad(cost, taps)
    norm = far.pow(2).mean() + 1e-3
    taps = taps - MU * g / norm  # <- culprit
    ratio = mic.pow(2).mean().item() / max(err.detach().pow(2).mean().item(), 1e-9)
    erle.append(10 * math.log10(ratio))
    if b % 25 == 0:
        print(f"block {b:4d}  cost {cost.item():.5f}  ERLE {erle[-1]:.2f} dB")

misalign = np.linalg.norm(taps.detach().numpy() - room) / np.linalg.norm(room)
print(f"final misalignment {20 * math.log10(misalign):.2f} dB, mean ERLE {np.mean(erle[-20:]):.2f} dB")
