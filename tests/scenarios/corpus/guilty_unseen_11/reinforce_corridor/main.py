# gradwatch-corpus: kind=graph-held
# holder: self.finished | collector.finished | stop | stop.__traceback__ | self.finished[-1] | collector.finished[-1]
# first-bad: 1
"""REINFORCE with a value baseline in a windy corridor (exercise 3 of the reading group).
One episode per update; the collector also keeps the list of finished episodes for the closing table."""
import torch

from agent import Agent
from corridor import Corridor
from rollout import Collector

UPDATES = 240


def closing_table(episodes, width=40):
    for start in range(0, len(episodes), width):
        part = episodes[start:start + width]
        wins = sum(e.reached for e in part)
        mean = sum(e.length for e in part) / len(part)
        print(f"episodes {start:3d}..{start + len(part) - 1:3d}  goal {wins:2d}/{len(part)}  length {mean:5.1f}")


def main():
    torch.manual_seed(7)
    torch.set_num_threads(1)
    env = Corridor(length=7, wind=0.1, limit=12, seed=3)
    agent = Agent(env.length, hidden=24)
    collector = Collector(env, agent)
    optimizer = torch.optim.Adam(agent.parameters(), lr=5e-3)
    for update in range(UPDATES):
        rollout = collector.episode()
        loss = agent.loss(rollout, gamma=0.97)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update % 60 == 0:
            print(f"update {update}: return {rollout.rewards.sum().item():+.2f} loss {loss.item():+.3f}")
    closing_table(collector.finished)


if __name__ == "__main__":
    main()
