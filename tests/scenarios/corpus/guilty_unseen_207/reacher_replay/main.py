# gradwatch-corpus: kind=graph-held
# holder: self.storage | buffer.storage | self.buffer.storage | agent.buffer.storage
# first-bad: 1
# also: graph-unused
import torch

from agent import Agent
from env import Reacher

torch.manual_seed(2)
env = Reacher(seed=2)
agent = Agent(env.obs_dim, env.act_dim)
obs, returns = env.reset(), 0.0

for step in range(460):
    next_obs, reward = env.step(agent.act(obs))
    agent.observe(reward, next_obs)
    obs = next_obs
    returns += reward
    info = agent.update()
    if env.t == 25:
        obs = env.reset()
    if step % 115 == 0:
        print(step, f"return {returns:.2f}", info)
