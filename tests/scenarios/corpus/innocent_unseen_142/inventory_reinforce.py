# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
from torch.distributions import Categorical
torch.set_num_threads(1)


class Shop:
    def __init__(self, gen):
        self.gen = gen

    def reset(self):
        self.stock, self.day = 5, 0
        return self.view()

    def view(self):
        return torch.tensor([self.stock / 10, self.day / 12])

    def order(self, q):
        demand = int(torch.poisson(torch.tensor(3.0), generator=self.gen))
        self.stock = min(10, self.stock + q)
        sold = min(self.stock, demand)
        self.stock -= sold
        self.day += 1
        return self.view(), 2.0 * sold - q - 0.1 * self.stock, self.day >= 12


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 16), nn.Tanh())
        self.pi, self.v = nn.Linear(16, 5), nn.Linear(16, 1)
        self.logps, self.values, self.entropies, self.rewards = [], [], [], []

    def choose(self, o):
        h = self.body(o)
        dist = Categorical(logits=self.pi(h))
        a = dist.sample()
        self.logps.append(dist.log_prob(a))
        self.entropies.append(dist.entropy())
        self.values.append(self.v(h).squeeze())
        return a.item()

    def episode_loss(self, gamma=0.97):
        ret, policy, value = 0.0, 0.0, 0.0
        for lp, v, r in zip(reversed(self.logps), reversed(self.values), reversed(self.rewards)):
            ret = r + gamma * ret
            adv = ret - v
            policy = policy - lp * adv.detach()
            value = value + adv ** 2
        n = len(self.rewards)
        return (policy + 0.05 * value - 0.01 * sum(self.entropies)) / n

    def forget(self):
        for buf in (self.logps, self.values, self.entropies, self.rewards):
            del buf[:]


def main(episodes=450):
    torch.manual_seed(10)
    shop, ac = Shop(torch.Generator().manual_seed(10)), ActorCritic()
    opt = torch.optim.Adam(ac.parameters(), 5e-3)
    running = None
    for ep in range(episodes):
        o, done = shop.reset(), False
        while not done:
            o, r, done = shop.order(ac.choose(o))
            ac.rewards.append(r)
        loss = ac.episode_loss()
        opt.zero_grad()
        loss.backward()
        opt.step()
        total = sum(ac.rewards)
        running = total if running is None else 0.95 * running + 0.05 * total
        ac.forget()
        if ep % 75 == 0:
            print(ep, round(running, 2))


main()
