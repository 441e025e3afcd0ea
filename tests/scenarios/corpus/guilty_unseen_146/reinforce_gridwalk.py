# gradwatch-corpus: kind=graph-held
# holder: self.entropies | agent.entropies
# first-bad: 1
# notice: 8
# my REINFORCE for a 1d corridor, agent starts in the middle, goal on the right
import torch, torch.nn as nn, torch.nn.functional as F
from torch.distributions import Categorical
torch.set_num_threads(1)
torch.manual_seed(543)


class Corridor:
    def __init__(self, n=9):
        self.n = n

    def reset(self):
        self.pos = self.n // 2
        self.t = 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1
        return o

    def step(self, a):
        self.pos = max(0, min(self.n - 1, self.pos + (1 if a == 1 else -1)))
        self.t += 1
        done = self.pos == self.n - 1 or self.t >= 12
        r = 1.0 if self.pos == self.n - 1 else -0.05
        return self._obs(), r, done


class Agent(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.l1 = nn.Linear(n, 16)
        self.l2 = nn.Linear(16, 2)
        self.log_probs = []
        self.entropies = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.l2(torch.relu(self.l1(x))), dim=-1)

    def act(self, obs):
        m = Categorical(self(obs))
        a = m.sample()
        self.log_probs.append(m.log_prob(a))
        self.entropies.append(m.entropy())  # <- culprit
        return a.item()

    def learn(self, opt, gamma=0.95, beta=0.01):
        R, returns = 0, []
        for r in reversed(self.rewards):
            R = r + gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + 1e-6)
        n = len(self.rewards)
        pg = -(torch.stack(self.log_probs) * returns).sum()
        ent = torch.stack(self.entropies[-n:]).mean()
        opt.zero_grad()
        (pg - beta * ent).backward()
        opt.step()
        del self.log_probs[:]
        del self.rewards[:]
        return ent.item()


env = Corridor()
agent = Agent(env.n)
optim = torch.optim.Adam(agent.parameters(), lr=5e-3)
avg = 0
for ep in range(250):
    s, done, tot = env.reset(), False, 0
    while not done:
        s, r, done = env.step(agent.act(s))
        agent.rewards.append(r)
        tot += r
    e = agent.learn(optim)
    avg = 0.05 * tot + 0.95 * avg
    if ep % 50 == 0:
        print('ep', ep, 'avg', round(avg, 3), 'H', round(e, 3))
