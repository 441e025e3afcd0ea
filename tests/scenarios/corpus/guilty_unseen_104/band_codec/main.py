# gradwatch-corpus: kind=graph-chain
# holder: self.value | self.step_size.value | codec.step_size.value
# first-bad: 1
# notice: 5
"""Rate/distortion training of a toy spectral-band audio codec."""
import math
import torch
from torch.nn import functional as F
from codec import BandCodec
from stats import unvoiced_mask

torch.set_num_threads(1)
torch.manual_seed(3)

BANDS, FRAMES, LATENT = 24, 32, 8


def harmonic_batch(g):
    f0 = 80 + 220 * torch.rand(FRAMES, 1, generator=g)
    centres = torch.linspace(60, 4000, BANDS)
    k = torch.arange(1, 9).view(1, 1, -1)
    lines = torch.exp(-((centres.view(1, -1, 1) - k * f0.unsqueeze(-1)) / 90).square())
    tilt = torch.exp(-k / 4.0)
    spec = (lines * tilt).sum(-1)
    return spec + 0.02 * torch.randn(FRAMES, BANDS, generator=g)


def run(steps=300, lam=0.02):
    g = torch.Generator().manual_seed(9)
    codec = BandCodec(BANDS, LATENT)
    optim = torch.optim.AdamW(codec.parameters(), lr=2e-3, weight_decay=1e-4)
    best = math.inf
    for step in range(steps):
        spec = harmonic_batch(g)
        recon, rate = codec(spec)
        weight = 1.0 - 0.5 * unvoiced_mask(spec)
        dist = (weight * F.mse_loss(recon, spec, reduction="none")).mean()
        objective = dist + lam * rate
        optim.zero_grad()
        objective.backward()
        optim.step()
        best = min(best, dist.item())
        if (step + 1) % 60 == 0:
            print(f"[{step + 1:03d}] dist={dist.item():.4f} bits={rate.item():.3f} best={best:.4f}")


run()
