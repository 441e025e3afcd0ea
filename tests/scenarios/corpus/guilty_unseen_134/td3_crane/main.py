# gradwatch-corpus: kind=inplace-modified
# holder: actor_loss | self.critic
# first-bad: 21
# notice: 0
"""Deterministic-policy actor-critic for swing-free crane moves."""
import torch

torch.set_num_threads(1)

from agent import CraneAgent
from crane import Crane
from replay import Replay

torch.manual_seed(88)
env, memory = Crane(), Replay(limit=600)
agent = CraneAgent(env.obs_dim)
obs = env.reset()
for t in range(1, 900):
    act = agent.explore(obs)
    nxt, rew, done = env.step(act)
    memory.add(obs, act, rew, nxt, done)
    obs = env.reset() if done else nxt
    if t >= 64:
        agent.learn(memory.sample(32))
