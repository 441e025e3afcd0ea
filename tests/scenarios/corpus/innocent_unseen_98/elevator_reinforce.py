# gradwatch-corpus: kind=none
"""REINFORCE with a moving baseline and entropy bonus: where should an idle lift wait?

Written while following a policy-gradient tutorial (CartPole replaced by our
own little simulation of the office building).
"""
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical

torch.manual_seed(500)
torch.set_num_threads(1)

FLOORS = 7
HORIZON = 12
EPISODES = 320
GAMMA = 0.95

Saved = namedtuple("Saved", "log_prob entropy")


class Building:
    def reset(self):
        self.time = 0
        self.floor = 0
        return self.observe()

    def observe(self):
        obs = torch.zeros(FLOORS + 1)
        obs[self.floor] = 1
        obs[-1] = self.time / HORIZON
        return obs

    def step(self, target):
        # in the morning people call from the ground floor, later from everywhere
        if torch.rand(()) < 1 - self.time / HORIZON:
            call = 0
        else:
            call = int(torch.randint(0, FLOORS, ()))
        wait = abs(target - call)
        self.floor = call
        self.time += 1
        return self.observe(), -float(wait), self.time >= HORIZON


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(FLOORS + 1, 24)
        self.affine2 = nn.Linear(24, FLOORS)
        self.saved = []
        self.rewards = []

    def forward(self, x):
        return self.affine2(torch.relu(self.affine1(x))).softmax(dim=-1)

    def act(self, obs):
        m = Categorical(self(obs))
        a = m.sample()
        self.saved.append(Saved(m.log_prob(a), m.entropy()))
        return a.item()


policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
baseline = torch.zeros(HORIZON)
last_losses = deque(maxlen=25)
episode_rewards = []


def finish_episode():
    global baseline
    R, returns = 0.0, []
    for r in reversed(policy.rewards):
        R = r + GAMMA * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    adv = returns - baseline
    baseline = 0.9 * baseline + 0.1 * returns
    terms = []
    for s, a in zip(policy.saved, adv):
        terms.append(-s.log_prob * a - 0.02 * s.entropy)
    loss = torch.stack(terms).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved[:]
    return loss


env = Building()
for i in range(EPISODES):
    obs, done = env.reset(), False
    while not done:
        obs, reward, done = env.step(policy.act(obs))
        policy.rewards.append(reward)
    episode_rewards.append(sum(policy.rewards))
    last_losses.append(finish_episode())
    if i % 64 == 63:
        mean_loss = (sum(last_losses) / len(last_losses)).item()
        mean_r = sum(episode_rewards[-64:]) / 64
        print("Episode {}\tAverage loss {:.2f}\tAverage reward {:.2f}".format(i + 1, mean_loss, mean_r))
