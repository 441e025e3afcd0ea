# gradwatch-corpus: kind=crashed
# holder: agent.log_probs | self.log_probs
# first-bad: 0
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(23)

from .agent import Agent
from .env import Elevator


def main(episodes=300):
    env, agent = Elevator(5), Agent(10, 3)
    for ep in range(episodes):
        obs, done = env.reset(), False
        while not done:
            obs, reward, done = env.step(agent.choose(obs))
            agent.rewards.append(reward)
        score = sum(agent.rewards)
        agent.learn()
        if ep % 30 == 0:
            print(ep, score)


main()
