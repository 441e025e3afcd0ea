import asyncio

import torch
from torch import nn


class Learner:
    def __init__(self, inbox, bidders):
        self.policy = nn.Sequential(nn.Linear(4, 20), nn.Tanh(), nn.Linear(20, 5))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=6e-3)
        self.inbox, self.bidders = inbox, bidders
        self.turn = asyncio.Condition()
        self.updates = 0

    async def train(self, updates):
        reward = 0.0
        while self.updates < updates:
            rollouts = [await self.inbox.get() for _ in range(self.bidders)]
            loss = torch.stack([r.loss for r in rollouts]).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            reward = 0.9 * reward + 0.1 * sum(r.reward for r in rollouts) / self.bidders
            del rollouts, loss
            async with self.turn:
                self.updates += 1
                self.turn.notify_all()
            if self.updates % 30 == 0:
                print(self.updates, f"reward {reward:.3f}")
