# gradwatch-corpus: kind=graph-chain
# holder: self.phase | bank.phase
# first-bad: 1
# notice: 5
"""Fit the mistuning (in Hz) of a struck string's partials, one hop of audio at a time."""
import argparse
import math
from typing import Iterator, NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
TWO_PI = 2.0 * math.pi


class Hop(NamedTuple):
    index: int
    audio: torch.Tensor


def piano_string(f0: float, inharm: float, n: int) -> torch.Tensor:
    k = torch.arange(1, n + 1, dtype=torch.float32)
    return f0 * k * torch.sqrt(1 + inharm * k * k)


def recording(freqs, amps, sr: int, hop: int, count: int) -> Iterator[Hop]:
    t0 = 0
    for i in range(count):
        t = (torch.arange(t0 + 1, t0 + hop + 1, dtype=torch.float64) / sr)
        wave = (amps[:, None] * torch.sin(TWO_PI * freqs[:, None].double() * t)).sum(0)
        yield Hop(i, wave.float() + 0.003 * torch.randn(hop))
        t0 += hop


class PartialBank(nn.Module):
    """Sine bank whose partials run on without clicks from hop to hop."""

    def __init__(self, nominal: torch.Tensor, sr: int):
        super().__init__()
        self.sr = sr
        self.register_buffer("nominal_inc", nominal * (TWO_PI / sr))
        self.detune = nn.Parameter(torch.zeros_like(nominal))
        self.level = nn.Parameter(torch.full_like(nominal, -1.0))
        self.phase = torch.zeros_like(nominal)

    def increments(self) -> torch.Tensor:
        return torch.add(self.nominal_inc, self.detune, alpha=TWO_PI / self.sr)

    def render(self, n: int) -> torch.Tensor:
        ramp = self.increments().unsqueeze(1).expand(-1, n).cumsum(dim=1)
        ramp = ramp + self.phase.unsqueeze(1)
        self.phase = ramp[:, -1].remainder(TWO_PI)  # <- culprit
        return ramp

    def forward(self, n: int) -> torch.Tensor:
        return F.softplus(self.level) @ torch.sin(self.render(n))


def spectral_gap(a: torch.Tensor, b: torch.Tensor, win: torch.Tensor) -> torch.Tensor:
    A, B = (torch.fft.rfft(v * win).abs() for v in (a, b))
    return (torch.log1p(A) - torch.log1p(B)).abs().mean()


def fit(bank: PartialBank, hops: Iterator[Hop], lr: float):
    """Yields (hop index, loss) after every update."""
    opt = torch.optim.Adam(
        [{"params": [bank.detune], "lr": lr}, {"params": [bank.level], "lr": lr / 4}]
    )
    win = None
    for hop in hops:
        n = hop.audio.numel()
        if win is None:
            win = torch.hann_window(n)
        synth = bank(n)
        loss = spectral_gap(synth, hop.audio, win) + 0.1 * F.mse_loss(synth, hop.audio)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(bank.parameters(), 1.0)
        opt.step()
        yield hop.index, loss.item()


def cents(f: torch.Tensor, ref: torch.Tensor) -> torch.Tensor:
    return 1200 * torch.log2(f / ref)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--sr", type=int, default=8000)
    ap.add_argument("--hop", type=int, default=512)
    ap.add_argument("--hops", type=int, default=160)
    ap.add_argument("--partials", type=int, default=8)
    ap.add_argument("--lr", type=float, default=0.05)
    args = ap.parse_args()
    torch.manual_seed(79)

    nominal = piano_string(220.0, 3e-4, args.partials)
    truth = nominal * (1 + 0.002 * torch.randn(args.partials))
    amps = 0.7 ** torch.arange(args.partials, dtype=torch.float32)
    bank = PartialBank(nominal, args.sr)

    tail = 0.0
    for i, value in fit(bank, recording(truth, amps, args.sr, args.hop, args.hops), args.lr):
        tail = value if i == 0 else 0.9 * tail + 0.1 * value
        if i % 40 == 0:
            print(f"hop {i:4d}  loss {tail:.4f}")
    with torch.no_grad():
        found = nominal + bank.detune
        for k, (c, d) in enumerate(zip(cents(found, nominal), cents(truth, nominal)), 1):
            print(f"partial {k}: {c:+6.2f} ct (true {d:+6.2f})")


if __name__ == "__main__":
    main()
