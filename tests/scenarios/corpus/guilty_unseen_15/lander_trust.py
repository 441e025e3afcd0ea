# gradwatch-corpus: kind=second-backward
# holder: self.reference | penalty.reference | self.penalty.reference | agent.penalty.reference
# first-bad: 6
"""Policy gradient for a one-dimensional lander with a soft trust region: the policy is
kept close to a reference taken from itself every few updates, on fixed probe states."""
import torch
from torch import nn
from torch.distributions import Categorical, kl_divergence

THRUST = torch.tensor([0.0, 1.2, 2.4])


class Lander:
    """Batched: height, vertical speed, fuel. Soft touchdown pays."""

    def __init__(self, n, gen):
        self.n, self.gen = n, gen

    def reset(self):
        self.h = 4 + 2 * torch.rand(self.n, generator=self.gen)
        self.v = -torch.rand(self.n, generator=self.gen)
        self.fuel = torch.full((self.n,), 20.0)
        self.alive = torch.ones(self.n, dtype=torch.bool)
        return self.observe()

    def observe(self):
        return torch.stack((self.h / 5, self.v / 2, self.fuel / 20), dim=-1)

    def step(self, action):
        burn = torch.minimum(THRUST[action], self.fuel)
        self.fuel = self.fuel - burn
        self.v = torch.where(self.alive, self.v + 0.2 * (burn - 1.2), self.v)
        self.h = torch.where(self.alive, self.h + 0.2 * self.v, self.h)
        landed = self.alive & (self.h <= 0)
        reward = torch.where(landed, 2.0 - self.v.abs() * 2, torch.zeros(self.n)) - 0.01 * burn
        reward = reward * self.alive
        self.alive = self.alive & ~landed
        return self.observe(), reward


def probe_states():
    grid = torch.cartesian_prod(torch.linspace(0, 1.2, 5), torch.linspace(-2, 0.5, 5), torch.tensor([0.3, 0.9]))
    return grid


class Policy(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh(),
                                 nn.Linear(hidden, len(THRUST)))

    def forward(self, obs):
        return Categorical(logits=self.net(obs))


class TrustPenalty:
    def __init__(self, policy, weight=0.5, refresh=5):
        self.policy = policy
        self.weight = weight
        self.refresh = refresh
        self.probes = probe_states()
        self.reference = None

    def __call__(self):
        if self.reference is None:
            return torch.zeros(())
        return self.weight * kl_divergence(self.reference, self.policy(self.probes)).mean()

    def after_update(self, n):
        if n % self.refresh == 0:
            self.reference = self.policy(self.probes)  # <- culprit


class Agent:
    def __init__(self, seed=0):
        gen = torch.Generator().manual_seed(seed)
        self.env = Lander(48, gen)
        self.policy = Policy()
        self.penalty = TrustPenalty(self.policy)
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=5e-3)
        self.updates = 0

    def rollout(self, horizon=12):
        obs = self.env.reset()
        logps, rewards = [], []
        for _ in range(horizon):
            dist = self.policy(obs)
            action = dist.sample()
            logps.append(dist.log_prob(action))
            obs, reward = self.env.step(action)
            rewards.append(reward)
        return torch.stack(logps), torch.stack(rewards)

    def surrogate(self, logps, rewards):
        togo = rewards.flip(0).cumsum(0).flip(0)
        adv = (togo - togo.mean(dim=1, keepdim=True)) / (togo.std() + 1e-6)
        return -(adv * logps).mean()

    def learn(self):
        logps, rewards = self.rollout()
        loss = self.surrogate(logps, rewards) + self.penalty()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.updates += 1
        self.penalty.after_update(self.updates)
        return rewards.sum(0).mean().item()


if __name__ == "__main__":
    torch.manual_seed(8)
    torch.set_num_threads(1)
    agent = Agent()
    score = 0.0
    for it in range(300):
        score = 0.9 * score + 0.1 * agent.learn()
        if it % 50 == 0:
            print(f"update {it}: return {score:+.3f}")
