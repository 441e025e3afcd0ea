# gradwatch-corpus: kind=none
import torch

from .agent import Agent
from .building import Lift

torch.set_num_threads(1)
torch.manual_seed(50)

lift, agent = Lift(floors=6), Agent(inputs=3, moves=3)
scores = []
for episode in range(450):
    obs, done = lift.reset(), False
    while not done:
        obs, reward, done = lift.step(agent.choose(obs))
        agent.reward(reward)
    scores.append(agent.finish())
    if episode % 90 == 89:
        print(episode + 1, round(sum(scores[-50:]) / 50, 3))
