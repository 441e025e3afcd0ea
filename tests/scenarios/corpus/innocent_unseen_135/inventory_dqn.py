# gradwatch-corpus: kind=none
"""Double DQN with soft target updates for a stock-keeping problem."""
import collections
import copy
import random

import torch

torch.set_num_threads(1)
from torch import nn

Step = collections.namedtuple("Step", "s a r s2")


class Shop:
    cap = 10

    def __init__(self):
        self.stock = 5

    def observe(self):
        return torch.tensor([self.stock / self.cap, 1.0])

    def order(self, qty):
        self.stock = min(self.cap, self.stock + qty)
        demand = random.randint(0, 4)
        sold = min(demand, self.stock)
        self.stock -= sold
        return 1.0 * sold - 0.1 * self.stock - 0.3 * qty


class DoubleDQN:
    def __init__(self, actions=4):
        self.online = nn.Sequential(nn.Linear(2, 20), nn.ReLU(), nn.Linear(20, actions))
        self.target = copy.deepcopy(self.online).requires_grad_(False)
        self.optim = torch.optim.RMSprop(self.online.parameters(), lr=1e-3)
        self.memory = collections.deque(maxlen=300)
        self.td_log = collections.deque(maxlen=50)

    def pick(self, s, eps):
        if random.random() < eps:
            return random.randrange(4)
        return self.online(s).argmax().item()

    def learn(self):
        batch = Step(*zip(*random.sample(self.memory, 12)))
        s, s2 = torch.stack(batch.s), torch.stack(batch.s2)
        a, r = torch.tensor(batch.a), torch.tensor(batch.r)
        best = self.online(s2).argmax(1, keepdim=True)
        y = r + 0.9 * self.target(s2).gather(1, best).squeeze(1)
        delta = y - self.online(s).gather(1, a[:, None]).squeeze(1)
        self.optim.zero_grad()
        nn.functional.huber_loss(delta, torch.zeros_like(delta)).backward()
        self.optim.step()
        self.td_log.append(delta.detach().abs().mean())
        for t, o in zip(self.target.parameters(), self.online.parameters()):
            t.copy_(0.98 * t + 0.02 * o.detach())


def main(days=1200):
    random.seed(2)
    torch.manual_seed(2)
    shop, agent = Shop(), DoubleDQN()
    profit = 0.0
    for day in range(days):
        s = shop.observe()
        a = agent.pick(s, max(0.05, 1 - day / 600))
        r = shop.order(a)
        agent.memory.append(Step(s, a, r, shop.observe()))
        profit += r
        if day >= 32:
            agent.learn()
        if day % 300 == 299:
            print(day + 1, f"profit/day {profit / 300:.2f} td {torch.stack(list(agent.td_log)).mean():.3f}")
            profit = 0.0


if __name__ == "__main__":
    main()
