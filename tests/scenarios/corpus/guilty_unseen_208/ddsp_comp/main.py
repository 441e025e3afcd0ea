# gradwatch-corpus: kind=graph-chain
# holder: self.envelope | comp.envelope
# first-bad: 1
"""Fit a compressor to the input/output of a reference unit, block by block."""
import math
from types import SimpleNamespace

import torch

from dsp import BlockCompressor, rms_db

HP = SimpleNamespace(channels=4, block=128, blocks=420, sr=16000, lr=5e-3, seed=13)


def synth(hp, gen):
    n = hp.block * hp.blocks
    t = torch.arange(n) / hp.sr
    f0 = 110 * 2 ** torch.rand(hp.channels, 1, generator=gen)
    tremolo = 0.3 + 0.7 * torch.sin(2 * math.pi * (0.7 + 0.3 * torch.rand(hp.channels, 1, generator=gen)) * t) ** 2
    tone = torch.sin(2 * math.pi * f0 * t) + 0.3 * torch.sin(4 * math.pi * f0 * t)
    return tremolo * tone + 0.01 * torch.randn(hp.channels, n, generator=gen)


@torch.no_grad()
def render_reference(audio, hp):
    ref = BlockCompressor(hp.channels)
    ref.raw_release.fill_(2.0)
    ref.threshold.fill_(-14.0)
    ref.raw_ratio.fill_(0.8)
    ref.makeup.fill_(3.0)
    return torch.cat([ref(b) for b in audio.split(hp.block, dim=-1)], dim=-1)


def main():
    torch.manual_seed(HP.seed)
    gen = torch.Generator().manual_seed(HP.seed)
    dry = synth(HP, gen)
    wet = render_reference(dry, HP)
    comp = BlockCompressor(HP.channels)
    opt = torch.optim.Adam(
        [
            {"params": [comp.threshold, comp.makeup], "lr": HP.lr * 10},
            {"params": [comp.raw_release, comp.raw_ratio]},
        ],
        lr=HP.lr,
    )
    running = 0.0
    pairs = zip(dry.split(HP.block, dim=-1), wet.split(HP.block, dim=-1))
    for i, (x, target) in enumerate(pairs):
        y = comp(x)
        loss = (rms_db(y) - rms_db(target)).abs().mean() + (y - target).square().mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        running = 0.97 * running + 0.03 * loss.item()
        if (i + 1) % 105 == 0:
            print(f"block {i + 1}: {running:.3f} dB  threshold {comp.threshold.mean().item():.1f}")
    comp.reset()


if __name__ == "__main__":
    main()
