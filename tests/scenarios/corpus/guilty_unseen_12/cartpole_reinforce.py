# gradwatch-corpus: kind=graph-held
# holder: self.entropies | agent.entropies
# first-bad: 1
"""My first REINFORCE: a pole on a cart, simulated by hand because gym would not install on the uni machines.
It learns a bit, but I am not sure everything is right, please have a look."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.manual_seed(1)
random.seed(1)
torch.set_num_threads(1)

GAMMA = 0.98
ENT_COEF = 0.01
N_EPISODES = 240
MAX_STEPS = 14


class Cart:
    def __init__(self):
        self.g, self.mc, self.mp, self.l = 9.8, 1.0, 0.1, 0.5
        self.dt = 0.03
        self.reset()

    def reset(self):
        self.s = [random.uniform(-0.05, 0.05) for _ in range(4)]
        self.t = 0
        return list(self.s)

    def step(self, action):
        x, xd, th, thd = self.s
        force = 10.0 if action == 1 else -10.0
        c, s = math.cos(th), math.sin(th)
        tmp = (force + self.mp * self.l * thd ** 2 * s) / (self.mc + self.mp)
        tha = (self.g * s - c * tmp) / (self.l * (4.0 / 3.0 - self.mp * c * c / (self.mc + self.mp)))
        xa = tmp - self.mp * self.l * tha * c / (self.mc + self.mp)
        self.s = [x + self.dt * xd, xd + self.dt * xa, th + self.dt * thd, thd + self.dt * tha]
        self.t += 1
        done = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.21 or self.t >= MAX_STEPS
        return list(self.s), 1.0, done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(4, 64)
        self.drop = nn.Dropout(p=0.2)
        self.l2 = nn.Linear(64, 2)

    def forward(self, x):
        return F.softmax(self.l2(F.relu(self.drop(self.l1(x)))), dim=-1)


class Agent:
    def __init__(self):
        self.policy = Policy()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=1e-2)
        self.log_probs = []
        self.rewards = []
        self.entropies = []

    def act(self, state):
        probs = self.policy(torch.tensor(state))
        m = Categorical(probs, validate_args=False)
        a = m.sample()
        self.log_probs.append(m.log_prob(a))
        self.entropies.append(m.entropy())  # <- culprit
        return a.item()

    def returns(self):
        R, out = 0.0, []
        for r in self.rewards[::-1]:
            R = r + GAMMA * R
            out.insert(0, R)
        out = torch.tensor(out)
        return (out - out.mean()) / (out.std() + 1e-6)

    def finish_episode(self):
        n = len(self.rewards)
        rets = self.returns()
        pg = torch.stack([-lp * R for lp, R in zip(self.log_probs, rets)]).sum()
        ent = torch.stack(self.entropies[-n:]).sum()
        loss = pg - ENT_COEF * ent
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        del self.rewards[:]
        del self.log_probs[:]
        return loss.item()

    def recent_entropy(self, k=100):
        last = self.entropies[-k:]
        return sum(e.item() for e in last) / len(last)


env = Cart()
agent = Agent()
running = 10.0


def play_one_episode():
    s = env.reset()
    done = False
    total = 0.0
    while not done:
        a = agent.act(s)
        s, r, done = env.step(a)
        agent.rewards.append(r)
        total += r
    return total


for ep in range(N_EPISODES):
    ep_reward = play_one_episode()
    running = 0.05 * ep_reward + 0.95 * running
    l = agent.finish_episode()
    if ep % 50 == 0:
        print(f"Episode {ep}\tlast {ep_reward:.0f}\tavg {running:.2f}\tloss {l:.3f}\tentropy {agent.recent_entropy():.3f}")
print("finished, average reward", round(running, 2))
