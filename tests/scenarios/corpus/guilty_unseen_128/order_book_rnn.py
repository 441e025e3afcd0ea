# gradwatch-corpus: kind=graph-chain
# holder: self.carry | agent.carry
# first-bad: 1
# notice: 5
import torch
torch.set_num_threads(1)
import torch.nn as nn


class MarketFeed:
    def __init__(self, assets=4, seed=1):
        self.g = torch.Generator().manual_seed(seed)
        self.price = torch.zeros(assets)

    def tick(self):
        move = 0.02 * torch.randn(self.price.shape, generator=self.g) - 0.05 * self.price
        before = self.price
        self.price = before + move
        return before, move


class Agent(nn.Module):
    def __init__(self, assets=4, hidden=16):
        super().__init__()
        self.inp = nn.Linear(assets, hidden)
        self.pos = nn.Linear(hidden, assets)
        self.leak = 0.97
        self.carry = torch.zeros(hidden)

    def forward(self, obs):
        self.carry = self.leak * self.carry + (1 - self.leak) * torch.tanh(self.inp(obs))  # <- culprit
        return torch.tanh(self.pos(self.carry))


torch.manual_seed(1)
feed, agent = MarketFeed(), Agent()
opt = torch.optim.SGD(agent.parameters(), lr=0.02, momentum=0.9)
pnl = 0.0
for tick in range(220):
    obs, move = feed.tick()
    weights = agent(obs)
    utility = (weights * move).sum() - 0.01 * weights.square().sum()
    opt.zero_grad()
    (-utility).backward(retain_graph=True)  # <- culprit
    opt.step()
    pnl += utility.item()
print("pnl", pnl)
