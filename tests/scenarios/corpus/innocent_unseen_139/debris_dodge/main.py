# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(1957)

from agent import Reinforce
from orbit import Orbit

env, agent = Orbit(max_ticks=15), Reinforce(n_obs=4, n_act=3)
lengths = []
for episode in range(410):
    obs, done = env.reset(), False
    while not done:
        obs, reward, done = env.step(agent.choose(obs))
        agent.reward(reward)
    lengths.append(agent.finish())
    if episode % 82 == 81:
        print(episode + 1, "ticks survived", sum(lengths[-82:]) / 82)
