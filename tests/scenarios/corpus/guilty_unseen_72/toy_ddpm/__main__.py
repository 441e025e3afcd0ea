# gradwatch-corpus: kind=graph-held
# holder: self.records | self.sampler.records | sampler.records | self.records[t] | self.records[i] | loop.sampler.records
# first-bad: 1
# notice: 8
"""2-D diffusion model on two moons with a loss-aware timestep sampler.   python -m toy_ddpm"""
import argparse
import logging

import torch

from .data import two_moons
from .diffusion import GaussianDiffusion
from .net import EpsNet
from .resample import create_sampler
from .train_util import TrainLoop


def main():
    ap = argparse.ArgumentParser("toy_ddpm")
    ap.add_argument("--timesteps", type=int, default=200)
    ap.add_argument("--sampler", choices=["uniform", "second-moment"], default="second-moment")
    ap.add_argument("--batch-size", type=int, default=10)
    ap.add_argument("--iterations", type=int, default=140)
    ap.add_argument("--lr", type=float, default=1e-3)
    a = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    torch.set_num_threads(1)
    torch.manual_seed(12)
    diff = GaussianDiffusion(a.timesteps)
    loop = TrainLoop(
        model=EpsNet(a.timesteps), diffusion=diff, data=two_moons(2000),
        sampler=create_sampler(a.sampler, a.timesteps), batch_size=a.batch_size, lr=a.lr,
    )
    loop.run(a.iterations)
    x = diff.sample(loop.ema, (64, 2))
    logging.info("sample mean %s std %s", x.mean(0).tolist(), x.std(0).tolist())


main()
