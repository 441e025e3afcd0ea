# gradwatch-corpus: kind=graph-chain
# holder: self.rho | agent.rho
# first-bad: 1
# notice: 5
"""Differential (average-reward) actor-critic with tile features on a queue-control task."""
import argparse
from dataclasses import dataclass

import torch
import torch.nn as nn


class QueueEnv:
    """n parallel queues; action 1 serves fast at a cost, action 0 serves slowly."""

    def __init__(self, n, seed=0, cap=12):
        self.g = torch.Generator().manual_seed(seed)
        self.n, self.cap = n, cap
        self.length = torch.zeros(n)

    def step(self, action):
        arrivals = torch.poisson(torch.full((self.n,), 0.8), generator=self.g)
        served = 0.5 + action.float()
        self.length = (self.length + arrivals - served).clamp(0, self.cap)
        return -0.1 * self.length - 0.2 * action.float()


class TileMixin:
    """Soft one-hot coding of a scalar state."""
    n_tiles = 16

    def features(self, length, cap):
        centres = torch.linspace(0, cap, self.n_tiles)
        return torch.exp(-((length[:, None] - centres) ** 2) / 1.5)


@dataclass
class Rates:
    policy: float = 0.05
    value: float = 0.1
    rho: float = 0.02


class DifferentialAC(TileMixin):
    def __init__(self, rates):
        self.rates = rates
        self.value = nn.Linear(self.n_tiles, 1, bias=False)
        self.policy = nn.Linear(self.n_tiles, 2)
        self.opt = torch.optim.SGD([
            {"params": self.value.parameters(), "lr": rates.value},
            {"params": self.policy.parameters(), "lr": rates.policy}])
        self.rho = torch.zeros(())

    def act(self, phi):
        logp = self.policy(phi).log_softmax(-1)
        action = torch.multinomial(logp.detach().exp(), 1)
        return action.squeeze(1), logp.gather(1, action).squeeze(1)

    def td_error(self, phi, reward, phi_next):
        with torch.no_grad():
            bootstrap = self.value(phi_next).squeeze(1)
        return reward - self.rho + bootstrap - self.value(phi).squeeze(1)

    def learn(self, phi, logp, reward, phi_next):
        delta = self.td_error(phi, reward, phi_next)
        critic = 0.5 * delta.pow(2).mean()
        actor = -(logp * delta.detach()).mean()
        self.opt.zero_grad()
        critic.backward(retain_graph=True)
        actor.backward()
        self.opt.step()
        self.rho = self.rho + self.rates.rho * delta.mean()  # <- culprit
        return critic.item()


class Meter:
    def __init__(self, beta=0.95):
        self.beta, self.value = beta, 0.0

    def __call__(self, x):
        self.value = self.beta * self.value + (1 - self.beta) * x
        return self.value


def train(agent, env, steps, report_every):
    reward_meter, loss_meter = Meter(), Meter()
    phi = agent.features(env.length, env.cap)
    for step in range(steps):
        action, logp = agent.act(phi)
        reward = env.step(action)
        phi_next = agent.features(env.length, env.cap)
        loss_meter(agent.learn(phi, logp, reward, phi_next))
        reward_meter(reward.mean().item())
        phi = phi_next
        if step % report_every == 0:
            print(f"step {step:4d} reward {reward_meter.value:+.3f} critic {loss_meter.value:.3f}")
    return reward_meter.value


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=140)
    ap.add_argument("--envs", type=int, default=16)
    ap.add_argument("--rho-rate", type=float, default=Rates.rho)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    agent = DifferentialAC(Rates(rho=args.rho_rate))
    print("mean reward", train(agent, QueueEnv(args.envs), args.steps, 35))


if __name__ == "__main__":
    main()
