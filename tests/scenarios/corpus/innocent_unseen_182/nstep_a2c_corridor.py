# gradwatch-corpus: kind=none
"""n-step advantage actor-critic in a noisy corridor with a recurrent policy."""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class Corridor:
    def __init__(self, length=8):
        self.length = length

    def reset(self):
        self.goal = random.choice([0, self.length - 1])
        self.pos = self.length // 2
        self.t = 0
        return self._obs(first=True)

    def _obs(self, first=False):
        hint = 0.0 if not first else (1.0 if self.goal else -1.0)
        return torch.tensor([[self.pos / self.length, hint]])

    def step(self, a):
        move = 1 if a == 1 else -1
        if random.random() < 0.1:
            move = -move
        self.pos = max(0, min(self.length - 1, self.pos + move))
        self.t += 1
        won = self.pos == self.goal
        done = won or self.t >= 20 or self.pos in (0, self.length - 1)
        return self._obs(), (1.0 if won else -0.02), done


class Agent(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.GRUCell(2, hidden)
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs, h):
        h = self.cell(obs, h)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(), h


class Rollout:
    def __init__(self):
        self.logp, self.value, self.reward, self.entropy, self.mask = [], [], [], [], []

    def add(self, logp, value, reward, entropy, done):
        self.logp.append(logp)
        self.value.append(value)
        self.reward.append(reward)
        self.entropy.append(entropy)
        self.mask.append(0.0 if done else 1.0)

    def clear(self):
        self.__init__()

    def loss(self, bootstrap, gamma=0.95):
        ret, total = bootstrap, 0.0
        for k in reversed(range(len(self.reward))):
            ret = self.reward[k] + gamma * self.mask[k] * ret
            adv = ret - self.value[k]
            total = total - self.logp[k] * adv.detach() + 0.5 * adv.pow(2) - 0.01 * self.entropy[k]
        return total / len(self.reward)


def main(updates=450, n_steps=6):
    random.seed(3)
    torch.manual_seed(3)
    env, agent, roll = Corridor(), Agent(), Rollout()
    opt = torch.optim.RMSprop(agent.parameters(), lr=1e-3)
    obs, h = env.reset(), torch.zeros(1, agent.hidden)
    returns, ep = [], 0.0
    for u in range(updates):
        for _ in range(n_steps):
            dist, value, h = agent(obs, h)
            act = dist.sample()
            obs, r, done = env.step(act.item())
            roll.add(dist.log_prob(act).squeeze(), value, r, dist.entropy().squeeze(), done)
            ep += r
            if done:
                returns.append(ep)
                ep, obs, h = 0.0, env.reset(), torch.zeros(1, agent.hidden)
        with torch.no_grad():
            _, boot, _ = agent(obs, h)
        loss = roll.loss(boot)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 1.0)
        opt.step()
        roll.clear()
        h = h.detach()
        if u % 75 == 74:
            print(f"update {u + 1} mean return {sum(returns[-50:]) / len(returns[-50:]):.3f}")


if __name__ == "__main__":
    main()
