# gradwatch-corpus: kind=graph-chain
# holder: self.baseline | learner.baseline
# first-bad: 1
"""Skirmish bots: policy gradient on a duel simulator with a learned, smoothed baseline."""
import argparse

import torch
from torch import nn
from torch.distributions import Categorical


class DuelSim:
    """Vectorised duel: pick attack, guard or dodge against a scripted opponent."""

    PAYOFF = torch.tensor([[0.0, -0.5, 1.0], [0.5, 0.0, -0.2], [-1.0, 0.2, 0.0]])

    def __init__(self, n, seed):
        self.n = n
        self.gen = torch.Generator().manual_seed(seed)
        self.rule = torch.randn(10, 3, generator=self.gen)

    def observe(self):
        return torch.randn(self.n, 10, generator=self.gen)

    def resolve(self, obs, action):
        opp = (obs @ self.rule).argmax(1)
        return self.PAYOFF[action, opp]


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 3))

    def forward(self, obs):
        return Categorical(logits=self.net(obs))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 1))

    def forward(self, obs):
        return self.net(obs).squeeze(1)


class Learner:
    def __init__(self, args):
        self.policy = Policy()
        self.critic = Critic()
        self.pi_opt = torch.optim.Adam(self.policy.parameters(), lr=args.lr)
        self.v_opt = torch.optim.Adam(self.critic.parameters(), lr=args.lr)
        self.entropy = args.entropy
        self.smooth = args.smooth
        self.baseline = torch.zeros(())

    def fit_critic(self, values, reward):
        loss = (values - reward).pow(2).mean()
        self.v_opt.zero_grad()
        loss.backward()
        self.v_opt.step()
        return loss.item()

    def fit_policy(self, dist, action, reward, values):
        self.baseline = self.smooth * self.baseline + (1 - self.smooth) * values.mean()  # <- culprit
        adv = reward - self.baseline  # <- culprit
        loss = -(dist.log_prob(action) * adv).mean() - self.entropy * dist.entropy().mean()
        self.pi_opt.zero_grad()
        loss.backward(inputs=list(self.policy.parameters()))
        self.pi_opt.step()
        return loss.item()

    def update(self, sim):
        obs = sim.observe()
        dist = self.policy(obs)
        action = dist.sample()
        reward = sim.resolve(obs, action)
        values = self.critic(obs)
        v_loss = self.fit_critic(values, reward)
        pi_loss = self.fit_policy(dist, action, reward, values)
        return reward.mean().item(), v_loss, pi_loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=140)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--entropy", type=float, default=0.01)
    ap.add_argument("--smooth", type=float, default=0.9)
    args = ap.parse_args()
    torch.manual_seed(2)
    sim = DuelSim(96, 17)
    learner = Learner(args)
    avg = 0.0
    for it in range(args.iters):
        reward, v_loss, pi_loss = learner.update(sim)
        avg = 0.95 * avg + 0.05 * reward
        if (it + 1) % 35 == 0:
            print(f"iter {it + 1} reward {avg:.3f} v {v_loss:.3f} pi {pi_loss:.3f}")


if __name__ == "__main__":
    main()
