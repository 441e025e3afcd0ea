# gradwatch-corpus: kind=none
"""Pulp-mill quality model cut into three stages, micro-batches in 1F1B order."""
import torch

from mill import Mill
from schedule import OneForwardOneBackward
from stage import Stage

torch.set_num_threads(1)
torch.manual_seed(70)

WIDTH = 16
STEPS = 400
CHUNKS = 5

mill = Mill(seed=2)
stages = [
    Stage(torch.nn.Sequential(torch.nn.Linear(7, WIDTH), torch.nn.Mish()), lr=2e-3),
    Stage(torch.nn.Sequential(torch.nn.Linear(WIDTH, WIDTH), torch.nn.Mish()), lr=2e-3),
    Stage(torch.nn.Sequential(torch.nn.Linear(WIDTH, 2)), lr=2e-3),
]
pipe = OneForwardOneBackward(stages, loss_fn=torch.nn.SmoothL1Loss(beta=0.5))

for step in range(STEPS):
    x, y = mill.shift(10 * CHUNKS)
    pipe.step(x.chunk(CHUNKS), y.chunk(CHUNKS))
    if (step + 1) % 80 == 0:
        print(f"step {step + 1} loss {torch.stack(pipe.losses).mean():.4f} "
              f"(chunks {', '.join(f'{l:.3f}' for l in pipe.losses)}) peak in flight {pipe.peak}")
