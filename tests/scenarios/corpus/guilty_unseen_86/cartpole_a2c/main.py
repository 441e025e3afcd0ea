# gradwatch-corpus: kind=graph-held
# holder: self.episodes | history.episodes | learner.history.episodes | self.history.episodes | e.steps | ep.steps
# first-bad: 1
# notice: 8
"""Advantage actor-critic on a small pole balancing task."""
import numpy as np
import torch

from agent.env import Pole
from agent.learner import Learner


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    env = Pole(rng=np.random.default_rng(21), max_steps=10)
    learner = Learner(obs_dim=4, n_actions=2)
    for n in range(160):
        ep = learner.play(env)
        learner.improve(ep)
        if n % 40 == 39:
            rep = learner.history.summary(last=40)
            print(f"ep {n + 1:3d} " + " ".join(f"{k}={v:.3f}" for k, v in rep.items()))


if __name__ == "__main__":
    main()
