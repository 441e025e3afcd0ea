# gradwatch-corpus: kind=none
"""Crane allocation by Q-learning: bounded replay of detached transitions, soft target, dataclass agent state."""
import torch

torch.set_num_threads(1)
torch.manual_seed(210)

from agent import Agent
from harbour import Harbour

env, agent = Harbour(), Agent()
obs = env.reset()
score = 0.0
for t in range(1, 1301):
    action = agent.act(obs, eps=max(0.05, 1 - t / 600))
    nxt, reward, done = env.step(action)
    agent.remember(obs, action, reward, nxt, done)
    obs = env.reset() if done else nxt
    score += reward
    agent.learn(batch=16)
    if t % 260 == 0:
        print(t, round(score / 260, 3), "stored", len(agent.replay))
        score = 0.0
