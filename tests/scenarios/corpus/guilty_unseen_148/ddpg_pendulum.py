# gradwatch-corpus: kind=graph-chain
# holder: self.params | self.params[name] | self.target_q.params | self.target_pi.params | agent.target_q.params | agent.target_pi.params
# first-bad: 1
# notice: 10
"""DDPG on a frictionless pendulum, functional target networks."""
import math
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(9)
random.seed(9)


class Pendulum:
    dt, g = 0.05, 10.0

    def reset(self):
        self.th, self.om = random.uniform(-math.pi, math.pi), random.uniform(-1, 1)
        return self.obs()

    def obs(self):
        return torch.tensor([math.cos(self.th), math.sin(self.th), self.om / 8])

    def step(self, torque):
        cost = ((self.th + math.pi) % (2 * math.pi) - math.pi) ** 2 + 0.1 * self.om**2
        self.om = max(-8, min(8, self.om + (1.5 * self.g * math.sin(self.th) + 3 * torque) * self.dt))
        self.th += self.om * self.dt
        return self.obs(), -cost / 10


def mlp(i, o, last=None):
    layers = [nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, o)]
    return nn.Sequential(*layers, *([last] if last else []))


class SlowCopy:
    """Polyak-averaged weights of a module, called without a second module."""

    def __init__(self, module, tau):
        self.module, self.tau = module, tau
        self.params = {k: p.detach().clone() for k, p in module.named_parameters()}

    def __call__(self, x):
        return functional_call(self.module, self.params, (x,))

    def follow(self):
        for name, p in self.module.named_parameters():
            self.params[name] = torch.lerp(self.params[name], p, self.tau)  # <- culprit


class DDPG:
    def __init__(self, gamma=0.97, tau=0.01):
        self.pi, self.q = mlp(3, 1, nn.Tanh()), mlp(4, 1)
        self.target_pi, self.target_q = SlowCopy(self.pi, tau), SlowCopy(self.q, tau)
        self.opt_pi = torch.optim.Adam(self.pi.parameters(), lr=1e-3)
        self.opt_q = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.gamma = gamma

    def act(self, s, noise=0.2):
        with torch.no_grad():
            return (self.pi(s) + noise * torch.randn(1)).clamp(-1, 1)

    def backup(self, r, s2):
        a2 = self.target_pi(s2)
        return r + self.gamma * self.target_q(torch.cat([s2, a2], 1))  # <- culprit

    def learn(self, s, a, r, s2):
        q_loss = F.mse_loss(self.q(torch.cat([s, a], 1)), self.backup(r, s2))
        self.opt_q.zero_grad()
        q_loss.backward()
        self.opt_q.step()

        pi_loss = -self.q(torch.cat([s, self.pi(s)], 1)).mean()
        self.opt_pi.zero_grad()
        pi_loss.backward()
        self.opt_pi.step()
        self.target_pi.follow()
        self.target_q.follow()
        return q_loss.item(), pi_loss.item()


def main():
    env, agent, memory = Pendulum(), DDPG(), deque(maxlen=500)
    s = env.reset()
    for t in range(130):
        a = agent.act(s)
        s2, r = env.step(a.item())
        memory.append((s, a, torch.tensor([r]), s2))
        s = env.reset() if t % 50 == 49 else s2
        if len(memory) >= 32:
            batch = [torch.stack(c) for c in zip(*random.sample(memory, 32))]
            ql, pl = agent.learn(*batch)
            if t % 20 == 0:
                print(f"t={t} q_loss={ql:.4f} pi_loss={pl:.4f}")


if __name__ == "__main__":
    main()
