# gradwatch-corpus: kind=graph-held
# holder: self.priorities | buffer.priorities | self.priorities[i] | agent.buffer.priorities | learner.buffer.priorities
# first-bad: 1
"""Double DQN with prioritized replay on a tiny swing task. Everything subclasses something so I can swap parts for the ablations."""
import random

import torch

from agents import DoubleDQN
from envs import Swing
from replay import PrioritizedReplay


def fill(env, buffer, n):
    obs = env.reset()
    for _ in range(n):
        a = random.randrange(env.n_actions)
        nxt, r, done = env.step(a)
        buffer.add(obs, a, r, nxt, done)
        obs = env.reset() if done else nxt
    return obs


def main(iterations=240):
    random.seed(5)
    torch.manual_seed(5)
    env = Swing(horizon=60)
    buffer = PrioritizedReplay(capacity=3000, alpha=0.6, eps=1e-3)
    agent = DoubleDQN(obs_dim=3, n_actions=env.n_actions, gamma=0.97, lr=1e-3, sync_every=40)
    obs = fill(env, buffer, 600)

    returns, current = [], 0.0
    for it in range(iterations):
        eps = max(0.05, 0.6 - it / 300)
        a = agent.act(obs, eps)
        nxt, r, done = env.step(a)
        buffer.add(obs, a, r, nxt, done)
        current += r
        obs = nxt
        if done:
            returns.append(current)
            current, obs = 0.0, env.reset()
        value = agent.learn(buffer, batch_size=32, beta=min(1.0, 0.4 + it / 400))
        if it % 60 == 59:
            last = returns[-1] if returns else float("nan")
            print(f"it {it + 1:4d}  loss {value:.4f}  eps {eps:.2f}  last return {last:.2f}")


if __name__ == "__main__":
    main()
