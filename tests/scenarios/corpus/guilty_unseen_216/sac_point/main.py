# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
import numpy as np
import torch

from buffer import ReplayBuffer
from env import PointReach
from sac import SACAgent


def main(iters=150, start_policy=30, batch_size=64):
    torch.manual_seed(10)
    np.random.seed(10)
    env = PointReach()
    agent = SACAgent(4, 2)
    buf = ReplayBuffer(4, 2, 5000)
    obs = env.reset()
    for _ in range(200):
        act = np.random.uniform(-1, 1, 2)
        nxt, rew, done = env.step(act)
        buf.add(obs, act, rew, nxt, done)
        obs = env.reset() if done else nxt

    for it in range(iters):
        act = agent.act(obs)
        nxt, rew, done = env.step(act)
        buf.add(obs, act, rew, nxt, done)
        obs = env.reset() if done else nxt
        info = agent.update(buf.sample(batch_size), train_policy=it >= start_policy)
        if it % 15 == 0:
            print(it, " ".join(f"{k}={v:.3f}" for k, v in info.items()))


if __name__ == "__main__":
    main()
