# gradwatch-corpus: kind=none
import math

import torch

from .nets import Critic, Foley
from .training import Adversarial


def impacts(batch, length, seed):
    rng = torch.Generator().manual_seed(seed)
    t = torch.arange(length) / length
    while True:
        freq = 3 + 6 * torch.rand(batch, 1, generator=rng)
        decay = 3 + 4 * torch.rand(batch, 1, generator=rng)
        yield torch.exp(-decay * t) * torch.sin(2 * math.pi * freq * t)


def main(steps=80):
    torch.set_num_threads(1)
    torch.manual_seed(110)
    run = Adversarial(Foley(), Critic())
    for number, real in zip(range(steps), impacts(16, 64, seed=111)):
        run.step(real, number)
        if number % 20 == 19:
            print(f"{number + 1:3d} " + "  ".join(f"{k} {v[-1]:.4f}" for k, v in run.log.items()))
    with torch.no_grad():
        print("sample peak", run.gen(4).abs().amax(1).tolist())


if __name__ == "__main__":
    main()
