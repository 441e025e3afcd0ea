# gradwatch-corpus: kind=inplace-modified
# first-bad: 16
"""Several actor-critic agents on one shared observation trunk, curriculum from one agent to all."""
import torch
from torch import nn

from agents import Agent, BanditTask

torch.set_num_threads(1)
torch.manual_seed(37)


class Trunk(nn.Module):
    def __init__(self, obs=6, width=20):
        super().__init__()
        self.inp = nn.Linear(obs, width)
        self.mid = nn.Linear(width, width)

    def forward(self, obs):
        return torch.tanh(self.mid(torch.relu(self.inp(obs))))


class Curriculum:
    def __init__(self, agents, solo_rounds):
        self.agents = agents
        self.solo_rounds = solo_rounds

    def active(self, r):
        return self.agents[:1] if r < self.solo_rounds else self.agents


def main():
    trunk = Trunk()
    agents = [Agent(trunk, BanditTask(50 + i)) for i in range(3)]
    plan = Curriculum(agents, solo_rounds=15)
    for r in range(60):
        group = plan.active(r)
        losses = {agent: agent.rollout(32) for agent in group}  # <- culprit
        for agent, loss in losses.items():
            agent.update(loss)
        if r % 5 == 4:
            print(r, [round(a.mean_reward, 3) for a in group])


if __name__ == "__main__":
    main()
