# gradwatch-corpus: kind=graph-held
# holder: self.storage | buffer.storage
# first-bad: 1
import argparse, collections, random
import torch, torch.nn as nn
from torch.distributions import Normal

Transition = collections.namedtuple("Transition", "obs act logp ret")


class Room:
    """First-order room; outside temperature drifts, action is heater power."""
    def __init__(self, n):
        self.n = n
        self.outside = torch.zeros(n)
        self.temp = torch.zeros(n)

    def obs(self):
        return torch.stack([self.temp, self.outside], -1)

    def step(self, power):
        self.outside = 0.95 * self.outside + 0.2 * torch.randn(self.n)
        self.temp = self.temp + 0.2 * (self.outside - self.temp) + 0.3 * power.clamp(-2, 2)
        return -(self.temp - 1.0) ** 2 - 0.01 * power ** 2


class ReplayBuffer:
    def __init__(self, capacity):
        self.capacity = capacity
        self.storage = []
        self.pos = 0

    def push(self, *fields):
        item = Transition(*fields)
        if len(self.storage) < self.capacity:
            self.storage.append(item)
        else:
            self.storage[self.pos] = item
        self.pos = (self.pos + 1) % self.capacity

    def sample(self, k):
        picks = random.sample(self.storage, min(k, len(self.storage)))
        return Transition(*(torch.cat(col) for col in zip(*picks)))


class GaussianPolicy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.zeros(1))

    def dist(self, obs):
        return Normal(self.mu(obs).squeeze(-1), self.log_std.exp())


def ppo_loss(policy, batch, eps):
    logp = policy.dist(batch.obs).log_prob(batch.act)
    ratio = (logp - batch.logp.detach()).clamp(-5, 5).exp()
    adv = (batch.ret - batch.ret.mean()) / (batch.ret.std() + 1e-8)
    return -torch.min(ratio * adv, ratio.clamp(1 - eps, 1 + eps) * adv).mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--iters", type=int, default=200)
    parser.add_argument("--envs", type=int, default=16)
    parser.add_argument("--capacity", type=int, default=50_000)
    parser.add_argument("--eps", type=float, default=0.2)
    args = parser.parse_args()

    torch.manual_seed(0); random.seed(0)
    room, policy, buffer = Room(args.envs), GaussianPolicy(), ReplayBuffer(args.capacity)
    opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
    score = 0.0
    for it in range(args.iters):
        obs = room.obs()
        d = policy.dist(obs)
        act = d.sample()
        logp = d.log_prob(act)
        ret = room.step(act)
        buffer.push(obs, act, logp, ret)  # <- culprit

        opt.zero_grad()
        on_policy = -(logp * (ret - ret.mean())).mean()
        loss = on_policy + ppo_loss(policy, buffer.sample(8), args.eps)
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        opt.step()
        score = 0.95 * score + 0.05 * ret.mean().item()
        if it % 50 == 49:
            print("iter", it + 1, "reward", round(score, 3), "std", round(policy.log_std.exp().item(), 3))


if __name__ == "__main__":
    main()
