# gradwatch-corpus: kind=graph-held
# holder: agent.memory | self.memory
# first-bad: 1
"""One-step actor-critic on a small chain MDP; transitions stored for later analysis."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
from torch.distributions import Categorical

Transition = namedtuple("Transition", "state action log_prob value reward next_state done")


class ChainEnv:
    def __init__(self, n=8):
        self.n = n
        self.pos = 0

    def reset(self):
        self.pos = 0
        self.t = 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1.0
        return o

    def step(self, a):
        if random.random() < 0.1:
            a = 1 - a
        self.pos = min(self.n - 1, self.pos + 1) if a == 1 else 0
        self.t += 1
        done = self.pos == self.n - 1 or self.t >= 30
        return self._obs(), (1.0 if self.pos == self.n - 1 else -0.01), done


class Agent:
    def __init__(self, n_obs, n_act, gamma=0.97):
        self.body = nn.Sequential(nn.Linear(n_obs, 32), nn.ReLU())
        self.pi = nn.Linear(32, n_act)
        self.v = nn.Linear(32, 1)
        self.gamma = gamma
        self.memory = deque(maxlen=20000)
        params = [*self.body.parameters(), *self.pi.parameters(), *self.v.parameters()]
        self.opt = torch.optim.Adam(params, lr=4e-3)

    def act(self, obs):
        h = self.body(obs)
        dist = Categorical(logits=self.pi(h))
        a = dist.sample()
        return a, dist.log_prob(a), self.v(h).squeeze(-1)

    def remember(self, *args):
        self.memory.append(Transition(*args))  # <- culprit

    def learn(self, tr):
        with torch.no_grad():
            nxt = 0.0 if tr.done else self.v(self.body(tr.next_state)).squeeze(-1)
            target = tr.reward + self.gamma * nxt
        adv = target - tr.value
        loss = -tr.log_prob * adv.detach() + 0.5 * adv.pow(2)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return float(loss)


random.seed(0)
torch.manual_seed(0)
env = ChainEnv()
agent = Agent(env.n, 2)
state = env.reset()
returns, ret = [], 0.0
for step in range(900):
    action, logp, value = agent.act(state)
    next_state, reward, done = env.step(action.item())
    agent.remember(state, action, logp, value, reward, next_state, done)  # <- culprit
    agent.learn(agent.memory[-1])
    ret += reward
    state = next_state
    if done:
        returns.append(ret)
        ret = 0.0
        state = env.reset()
    if step % 150 == 149:
        print(step + 1, "episodes", len(returns), "mean return",
              sum(returns[-10:]) / max(1, len(returns[-10:])))

pos_rewards = sum(t.reward > 0 for t in agent.memory)
print("stored", len(agent.memory), "transitions, goals:", pos_rewards)
