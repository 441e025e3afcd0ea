# gradwatch-corpus: kind=none
"""Reaching with a planar arm: double DQN, replay, slow target."""
import torch

torch.set_num_threads(1)

from agent import DoubleDqn
from reach import Reach

torch.manual_seed(9)
env, agent = Reach(), DoubleDqn(4, 4)
obs, td = env.reset(), 0.0
for t in range(1100):
    a = agent.choose(obs)
    nxt, r, done = env.step(a)
    agent.replay.append((obs, a, r, nxt, done))
    obs = env.reset() if done else nxt
    if t >= 60:
        td = 0.98 * td + 0.02 * agent.improve()
    if t % 200 == 0:
        print(t, f"td {td:.4f}", f"replay {len(agent.replay)}")
