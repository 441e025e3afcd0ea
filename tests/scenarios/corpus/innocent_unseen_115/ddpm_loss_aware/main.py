# gradwatch-corpus: kind=none
"""2-D diffusion with loss-aware timestep sampling (after improved-diffusion)."""
import math

import numpy as np
import torch

from diffusion import Diffusion, ScoreNet
from resample import LossSecondMomentResampler
from train import TrainLoop


def rings(n):
    r = 0.5 + 0.5 * torch.randint(0, 2, (n,)).float() + 0.03 * torch.randn(n)
    a = 2 * math.pi * torch.rand(n)
    return torch.stack([r * a.cos(), r * a.sin()], 1)


def main():
    torch.manual_seed(1)
    np.random.seed(1)
    torch.set_num_threads(1)
    T = 30
    loop = TrainLoop(ScoreNet(), Diffusion(T), LossSecondMomentResampler(T), rings,
                     lr=2e-3, batch_size=32, microbatch=16, steps=400, log_interval=80)
    best = loop.run()
    norm = math.sqrt(sum(float(p.pow(2).sum()) for p in best))
    print(f"best window {loop.best:.4f}, |ema| {norm:.2f}")


if __name__ == "__main__":
    main()
