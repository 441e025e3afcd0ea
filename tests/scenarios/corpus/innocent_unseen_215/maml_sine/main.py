# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

from meta import MAML
from tasks import SinusoidTasks


def main():
    torch.manual_seed(14)
    net = nn.Sequential(nn.Linear(1, 40), nn.Tanh(), nn.Linear(40, 40), nn.Tanh(), nn.Linear(40, 1))
    learner, sampler = MAML(net), SinusoidTasks()
    running = None
    for it in range(80):
        loss = learner.meta_step(sampler.sample(4))
        running = loss if running is None else 0.9 * running + 0.1 * loss
        if (it + 1) % 20 == 0:
            print(f"meta iter {it + 1} loss {running:.4f}")


if __name__ == "__main__":
    main()
