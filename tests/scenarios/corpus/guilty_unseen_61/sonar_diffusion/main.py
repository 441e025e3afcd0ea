# gradwatch-corpus: kind=graph-held
# holder: self.total | self.meters["loss"].total | metrics.meters["loss"].total | trainer.metrics.meters["loss"].total | self.metrics.meters["loss"].total | meter.total
# first-bad: 1
# notice: 8
"""Denoising diffusion of sonar pings with self-conditioning (Chen et al., 2022)."""
import argparse

import torch

from diffusion.denoiser import PingDenoiser
from diffusion.process import CosineProcess
from reporting.metrics import Metrics
from trainer import DiffusionTrainer


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--steps", type=int, default=140)
    ap.add_argument("--timesteps", type=int, default=100)
    ap.add_argument("--ping", type=int, default=32)
    ap.add_argument("--self-cond", type=float, default=0.5)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(29)

    metrics = Metrics("loss", "grad_norm")
    model = PingDenoiser(args.ping, args.timesteps)
    trainer = DiffusionTrainer(model, CosineProcess(args.timesteps), metrics, self_cond=args.self_cond)
    trainer.train(args.steps)
    print("  ".join(f"{k} {v:.4f}" for k, v in metrics.summary().items()))


if __name__ == "__main__":
    main()
