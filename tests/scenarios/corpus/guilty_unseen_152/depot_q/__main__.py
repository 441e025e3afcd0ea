# gradwatch-corpus: kind=graph-chain
# holder: self.params | self.target.params | agent.target.params | self.params[name]
# first-bad: 1
import torch

from .agent import Agent
from .world import Depot, Replay


def main(days=160, warm=32):
    torch.set_num_threads(1)
    torch.manual_seed(17)
    depot = Depot(seed=1)
    replay = Replay(400, seed=2)
    agent = Agent(len(Depot.actions), seed=3)
    income, losses = 0.0, []
    for day in range(days):
        obs = depot.observe()
        action = agent.act(obs, epsilon=max(0.1, 1 - day / 100))
        reward = depot.advance(action)
        replay.add(obs, action, reward, depot.observe())
        income += reward
        if day >= warm:
            losses.append(agent.learn(replay.sample(24)))
        if day % 40 == 39:
            tail = losses[-20:]
            print(f"day {day + 1}: income {income:7.1f}  td {sum(tail) / max(len(tail), 1):.4f}")
            income = 0.0


if __name__ == "__main__":
    main()
