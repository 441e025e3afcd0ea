# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
"""DDPG swing-up with a tiny replay buffer."""
import argparse

import numpy as np
import torch

from agent import DDPG
from memory import Pendulum, Replay

torch.set_num_threads(1)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=8)
    ap.add_argument("--bs", type=int, default=32)
    ap.add_argument("--start", type=int, default=100)
    args = ap.parse_args()
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    env, agent, replay = Pendulum(0), DDPG(3, 1, limit=2.0), Replay(2000, 1)
    steps = 0
    for ep in range(args.episodes):
        s, done, ret = env.reset(), False, 0.0
        while not done:
            a = agent.act(s, rng.normal(scale=0.3))
            s2, r, done = env.step(a)
            replay.add(s, a, r, s2)
            s, ret, steps = s2, ret + r, steps + 1
            if steps >= args.start:
                c, p = agent.learn(replay.sample(args.bs))
                if steps % 50 == 0:
                    print(f"step {steps} critic {c:.3f} actor {p:.3f}")
        print(f"episode {ep} return {ret:.1f}")


if __name__ == "__main__":
    main()
