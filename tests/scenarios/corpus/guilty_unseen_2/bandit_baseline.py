# gradwatch-corpus: kind=graph-chain
# holder: self.baseline | agent.baseline
# first-bad: 1
"""Contextual bandit, policy gradient with a moving baseline and a variance term."""
import torch
from torch import nn


class Agent(nn.Module):
    def __init__(self, ctx, arms, beta=0.9):
        super().__init__()
        self.logits = nn.Linear(ctx, arms)
        self.beta = beta
        self.baseline = torch.tensor(0.0)

    def loss(self, x, table):
        p = self.logits(x).softmax(-1)
        value = (p * table).sum(-1).mean()
        self.baseline = self.beta * self.baseline + (1 - self.beta) * value  # <- culprit
        entropy = -(p * (p + 1e-8).log()).sum(-1).mean()
        return -value + 0.1 * (value - self.baseline) ** 2 - 0.01 * entropy, value


torch.manual_seed(23)
true = torch.randn(6, 5)
agent = Agent(6, 5)
opt = torch.optim.Adam(agent.parameters(), lr=0.02)
for rnd in range(160):
    x = torch.randn(40, 6)
    table = torch.sigmoid(x @ true) + 0.1 * torch.randn(40, 5)
    loss, value = agent.loss(x, table)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    if rnd % 40 == 0:
        print("round %d value %.4f baseline %.4f" % (rnd, value.item(), agent.baseline.item()))
