# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | sampler.difficulty | self.sampler.difficulty | fitter.sampler.difficulty | self.sampler | sampler | fitter.sampler
# first-bad: 1
# notice: 8
"""Fit a gain prescription network for hearing aids from simulated audiograms."""
import argparse

import torch

from .fitter import Fitter
from .sampling import HardClipSampler
from .simulate import AudiogramBank


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--clips", type=int, default=3000)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--rounds", type=int, default=4)
    p.add_argument("--per-round", type=int, default=35)
    return p.parse_args()


args = parse()
torch.set_num_threads(1)
torch.manual_seed(5)
bank = AudiogramBank(args.clips)
sampler = HardClipSampler(args.clips, args.batch)
fitter = Fitter(bank, sampler)
for r in range(args.rounds):
    mean = fitter.run_round(args.per_round)
    hardest = sampler.hardest(3)
    print(f"round {r}: loss {mean:.4f}, hardest clips {hardest}")
