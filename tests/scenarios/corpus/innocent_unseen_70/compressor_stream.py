# gradwatch-corpus: kind=none
"""Learns attack and release of a level detector from a reference compressor, block by block."""
import itertools
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)

BLOCK = 6
CUT_EVERY = 10


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_attack = nn.Parameter(torch.tensor(math.log(0.5)))
        self.log_release = nn.Parameter(torch.tensor(math.log(0.3)))
        self.log_ratio = nn.Parameter(torch.tensor(math.log(0.5)))

    def rates(self):
        return self.log_attack.exp(), self.log_release.exp(), self.log_ratio.exp()


def envelope(rates, level, block):
    attack, release, ratio = rates
    gains = []
    for sample in block:
        rising = (sample > level).float()
        rate = rising * attack + (1 - rising) * release
        level = level + rate * (sample - level)
        gains.append(-ratio * level)
    return level, torch.stack(gains)


def level_follower(detector, channels, cut_every):
    """Coroutine: send a block, get gains back. The memory is cut every `cut_every` blocks."""
    level = torch.zeros(channels)
    gains = None
    for count in itertools.count():
        block = yield gains
        if count % cut_every == 0:
            level = level.detach()
        level, gains = envelope(detector.rates(), level, block)


def tones(blocks, channels=4, seed=9):
    gen = torch.Generator().manual_seed(seed)
    phase = 6.28 * torch.rand(channels, generator=gen)
    for b in range(blocks):
        t = torch.arange(b * BLOCK, (b + 1) * BLOCK).unsqueeze(1)
        loud = 1 + torch.sin(t * 0.05 + phase)
        yield loud * (0.7 + 0.3 * torch.rand(BLOCK, channels, generator=gen))


def reference(stream):
    level = torch.zeros(4)
    rates = tuple(torch.tensor(v) for v in (0.25, 0.04, 0.8))
    for block in stream:
        level, gains = envelope(rates, level, block)
        yield block, gains


def fit(blocks=300):
    torch.manual_seed(0)
    detector = Detector()
    opt = torch.optim.Adam(detector.parameters(), lr=0.02)
    follower = level_follower(detector, 4, CUT_EVERY)
    next(follower)
    error = 0.0
    for n, (block, wanted) in enumerate(reference(tones(blocks))):
        gains = follower.send(block)
        loss = (gains - wanted).pow(2).mean()
        opt.zero_grad()
        last_of_segment = n % CUT_EVERY == CUT_EVERY - 1
        loss.backward(retain_graph=not last_of_segment)
        torch.nn.utils.clip_grad_norm_(detector.parameters(), 1.0)
        opt.step()
        error = 0.95 * error + 0.05 * loss.item()
        if n % 60 == 59:
            shown = " ".join(f"{r.item():.3f}" for r in detector.rates())
            print(f"block {n + 1}: error {error:.5f} attack/release/ratio {shown}")
    follower.close()


if __name__ == "__main__":
    fit()
