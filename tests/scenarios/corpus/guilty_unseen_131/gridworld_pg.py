# gradwatch-corpus: kind=crashed
# holder: agent.saved_log_probs | self.saved_log_probs
# first-bad: 40
# notice: 0
import random
import torch
torch.set_num_threads(1)
from torch import nn
from torch.distributions import Categorical

random.seed(3)
torch.manual_seed(3)


class Grid:
    MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]

    def reset(self):
        self.r, self.c, self.t = random.randrange(5), random.randrange(5), 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.r / 4, self.c / 4])

    def step(self, a):
        dr, dc = self.MOVES[a]
        self.r = min(4, max(0, self.r + dr))
        self.c = min(4, max(0, self.c + dc))
        self.t += 1
        win = self.r == 4 and self.c == 4
        return self.obs(), (1.0 if win else -0.05), win or self.t >= 15


class Agent:
    def __init__(self):
        self.policy = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 4))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=5e-3)
        self.saved_log_probs, self.rewards = [], []

    @torch.no_grad()  # <- culprit
    def act(self, state):
        m = Categorical(logits=self.policy(state))
        action = m.sample()
        self.saved_log_probs.append(m.log_prob(action))
        return action.item()

    def imitate(self, states, actions):
        loss = nn.functional.cross_entropy(self.policy(states), actions)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()

    def finish_episode(self, gamma=0.97):
        R, returns = 0.0, []
        for r in reversed(self.rewards):
            R = r + gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        loss = -(torch.stack(self.saved_log_probs) * returns).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.saved_log_probs.clear()
        self.rewards.clear()


env, agent = Grid(), Agent()
# a bit of demonstrations first: go right, then down
for _ in range(40):
    s = torch.randint(0, 5, (32, 2))
    agent.imitate(s / 4, torch.where(s[:, 1] < 4, 0, 2))

for ep in range(400):
    s, done = env.reset(), False
    while not done:
        s, r, done = env.step(agent.act(s))
        agent.rewards.append(r)
    agent.finish_episode()
