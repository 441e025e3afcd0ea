# gradwatch-corpus: kind=graph-held
# holder: self.weights | replay.weights | self.replay.weights | learner.replay.weights
# first-bad: 1
# notice: 8
"""DDPG with prioritized replay on a noisy double integrator, learning from a logged data set."""
import argparse

import torch

from learner import DdpgLearner
from replay import PrioritizedReplay


def logged_transitions(n, seed):
    """Random-policy log of a double integrator: state (position, speed), force action."""
    g = torch.Generator().manual_seed(seed)
    state = torch.zeros(2)
    for t in range(n):
        if t % 40 == 0:
            state = 2 * torch.rand(2, generator=g) - 1
        action = 2 * torch.rand(1, generator=g) - 1
        speed = state[1] + 0.1 * action[0]
        nxt = torch.stack([state[0] + 0.1 * speed, speed]) + 0.01 * torch.randn(2, generator=g)
        reward = -(nxt[0] ** 2 + 0.1 * nxt[1] ** 2 + 0.01 * action[0] ** 2)
        yield state, action, reward, nxt
        state = nxt


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--updates", type=int, default=120)
    ap.add_argument("--log-size", type=int, default=2000)
    ap.add_argument("--batch", type=int, default=16)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(31)

    replay = PrioritizedReplay(exponent=0.6, seed=32)
    for row in logged_transitions(args.log_size, 33):
        replay.append(row)
    learner = DdpgLearner(2, 1, replay, batch=args.batch)
    for update in range(args.updates):
        info = learner.update()
        if update % 20 == 0:
            print(update, " ".join(f"{k}={v:.4f}" for k, v in info.items()))


if __name__ == "__main__":
    main()
