# gradwatch-corpus: kind=graph-chain
# holder: self.target | agent.target
# first-bad: 1
# notice: 5
import random
from collections import deque
import torch
from torch import nn
from torch.func import functional_call
torch.set_num_threads(1)


class Room:
    def reset(self):
        self.temp, self.outside, self.t = 18.0, random.uniform(-5, 10), 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.temp / 20, self.outside / 20, self.t / 40])

    def step(self, a):
        self.temp += 0.08 * (self.outside - self.temp) + 0.9 * a
        self.t += 1
        return self.obs(), -abs(self.temp - 21) / 5 - 0.05 * a, self.t >= 40


class Agent:
    def __init__(self, obs=3, acts=3, tau=0.02, gamma=0.95):
        self.q = nn.Sequential(nn.Linear(obs, 16), nn.ReLU(), nn.Linear(16, acts))
        self.target = {k: p.detach().clone() for k, p in self.q.named_parameters()}
        self.opt = torch.optim.RMSprop(self.q.parameters(), lr=1e-3)
        self.tau, self.gamma, self.acts = tau, gamma, acts

    def act(self, o, eps):
        if random.random() < eps:
            return random.randrange(self.acts)
        with torch.no_grad():
            return int(self.q(o).argmax())

    def td_loss(self, batch):
        o, a, r, o2, done = batch
        best = functional_call(self.q, self.target, (o2,)).max(1).values
        goal = r + self.gamma * (1 - done) * best  # <- culprit
        return nn.functional.smooth_l1_loss(self.q(o).gather(1, a[:, None]).squeeze(1), goal)

    def learn(self, batch):
        loss = self.td_loss(batch)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.soft_update()
        return loss.item()

    def soft_update(self):
        for name, p in self.q.named_parameters():
            self.target[name] = torch.lerp(self.target[name], p, self.tau)  # <- culprit


def sample(memory, n):
    o, a, r, o2, d = zip(*random.sample(memory, n))
    return torch.stack(o), torch.tensor(a), torch.tensor(r), torch.stack(o2), torch.tensor(d, dtype=torch.float)


def main():
    random.seed(4)
    torch.manual_seed(4)
    env, agent, memory = Room(), Agent(), deque(maxlen=2000)
    o, learned, ret = env.reset(), 0, 0.0
    while learned < 400:
        a = agent.act(o, max(0.1, 1 - learned / 300))
        o2, r, done = env.step(a)
        memory.append((o, a, r, o2, done))
        ret += r
        o = o2
        if len(memory) > 64:
            loss = agent.learn(sample(memory, 16))
            learned += 1
        if done:
            print(learned, "return", round(ret, 2))
            o, ret = env.reset(), 0.0


main()
