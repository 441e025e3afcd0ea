# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Crop-yield regression with monotone rainfall response, event-driven loop."""
import logging

import torch

from callbacks import GradClip, MonotoneProjection, Progress
from loop import Loop
from model import YieldNet, season


def main() -> None:
    torch.manual_seed(52)
    model = YieldNet(weather=6, soil=5)
    opt = torch.optim.NAdam(model.parameters(), lr=3e-3)
    loop = Loop(model, opt, torch.nn.SmoothL1Loss())
    loop.on("loss_ready", MonotoneProjection(["response.0.weight", "response.2.weight"], every=10, warmup=20))  # <- culprit
    loop.on("grads_ready", GradClip(2.0))
    loop.on("step_end", Progress(every=5))
    loop.run((season(64) for _ in range(110)))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    main()
