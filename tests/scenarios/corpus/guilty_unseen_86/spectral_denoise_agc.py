# gradwatch-corpus: kind=graph-chain
# holder: level | agc["level"]
# first-bad: 1
# notice: 5
"""Spectral-mask denoiser with automatic gain control on its output.

Synthetic harmonic tones + coloured noise; the mask is predicted per frame from
the log magnitude.  The AGC keeps a slow estimate of the output level so quiet
and loud clips weigh about the same in the loss.
"""
import math

import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(3)

SR = 8000
N_FFT = 128
HOP = 64
CLIP = 1024
BATCH = 2
STEPS = 170
AGC_SLOW = 0.95

window = torch.hann_window(N_FFT)


def tones(n):
    t = torch.arange(CLIP) / SR
    f0 = torch.empty(n, 1).uniform_(120, 480)
    out = torch.zeros(n, CLIP)
    for k in range(1, 5):
        phase = torch.rand(n, 1) * 2 * math.pi
        out += torch.sin(2 * math.pi * k * f0 * t + phase) / k
    gain = torch.empty(n, 1).uniform_(0.2, 1.5)
    return gain * out


def coloured_noise(n):
    w = torch.randn(n, CLIP + 8)
    kernel = torch.ones(1, 1, 9) / 9
    return 1.5 * F.conv1d(w.unsqueeze(1), kernel).squeeze(1)


def stft_mag(x):
    spec = torch.stft(x, N_FFT, HOP, window=window, return_complex=True)
    return spec.abs().transpose(1, 2)  # B x T x F


def batch():
    clean = tones(BATCH)
    noisy = clean + 0.5 * coloured_noise(BATCH)
    return stft_mag(noisy), stft_mag(clean)


n_bins = N_FFT // 2 + 1
masker = torch.nn.Linear(n_bins, n_bins)
torch.nn.init.xavier_uniform_(masker.weight, gain=0.2)
opt = torch.optim.Adam(masker.parameters(), lr=2e-3)

agc = {"level": torch.tensor(1.0), "n": 0}


def apply_agc(estimate):
    """Track the loudness of what we output, return the gain-corrected estimate."""
    loud = estimate.pow(2).mean()
    agc["level"] = AGC_SLOW * agc["level"] + (1 - AGC_SLOW) * loud  # <- culprit
    agc["n"] += 1
    gain = torch.rsqrt(agc["level"] + 1e-4)
    return estimate * gain, gain


snr_log = []
for step in range(STEPS):
    mag, target = batch()
    mask = torch.sigmoid(masker(torch.log1p(mag)))
    estimate = mask * mag
    leveled, gain = apply_agc(estimate)  # <- culprit
    loss = F.l1_loss(leveled, target * gain) + 0.01 * mask.mean()

    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()

    err = (estimate - target).pow(2).sum().item()
    snr_log.append(10 * math.log10(target.pow(2).sum().item() / err))
    if step % 40 == 0:
        recent = sum(snr_log[-40:]) / len(snr_log[-40:])
        print(f"step {step:4d}  l1 {loss.item():.4f}  snr {recent:5.2f} dB  gain {gain.item():.3f}")

print("final snr %.2f dB" % (sum(snr_log[-20:]) / 20))
