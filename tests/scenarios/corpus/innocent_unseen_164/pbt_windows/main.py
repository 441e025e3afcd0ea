# gradwatch-corpus: kind=none
"""PBT over small regressors; every worker gathers a window of losses and steps on its mean and spread."""
import random

import torch

from workers import Worker

torch.set_num_threads(1)
torch.manual_seed(4)
random.seed(4)


def task(n, coef):
    x = torch.randn(n, 5)
    return x, torch.tanh(x @ coef)


def main(rounds=100, exploit_every=25):
    coef = torch.randn(5, 1)
    workers = [Worker(f"w{i}", lr=10 ** random.uniform(-3, -1.3), window=3) for i in range(4)]
    for r in range(rounds):
        for w in workers:
            w.observe(*task(16, coef))
        if (r + 1) % exploit_every == 0:
            ranked = sorted(workers, key=lambda w: w.fitness)
            ranked[-1].exploit(ranked[0])
            print(r, [(w.name, round(w.fitness, 4)) for w in ranked])


if __name__ == "__main__":
    main()
