# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Recurrent policy gradient on a memory corridor; segments of one long stream."""
import torch
import torch.nn.functional as F
from torch import nn


class CueCorridor:
    """A cue is shown every few steps; the right action is the last cue."""

    def __init__(self, n_envs=8, gap=5, seed=0):
        self.n, self.gap = n_envs, gap
        self.g = torch.Generator().manual_seed(seed)
        self.t = 0
        self.cue = torch.zeros(n_envs, dtype=torch.long)

    def observe(self):
        obs = torch.zeros(self.n, 3)
        if self.t % self.gap == 0:
            self.cue = torch.randint(0, 2, (self.n,), generator=self.g)
            obs[torch.arange(self.n), self.cue] = 1.0
        else:
            obs[:, 2] = 1.0
        return obs

    def step(self, action):
        self.t += 1
        return (action == self.cue).float() - 0.5


class Carry:
    """State that crosses segment borders."""

    def __init__(self, n, hidden):
        self.h = torch.zeros(n, hidden)
        self.c = torch.zeros(n, hidden)

    def advance(self, h, c):
        self.h, self.c = h, c

    def cut(self):
        self.advance(self.h.detach(), self.c)  # <- culprit


class Policy(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.LSTMCell(3, hidden)
        self.pi = nn.Linear(hidden, 2)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs, carry):
        h, c = self.cell(obs, (carry.h, carry.c))
        carry.advance(h, c)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Segment:
    def __init__(self):
        self.logp, self.values, self.rewards, self.entropy = [], [], [], []

    def add(self, dist, action, value, reward):
        self.logp.append(dist.log_prob(action))
        self.entropy.append(dist.entropy())
        self.values.append(value)
        self.rewards.append(reward)

    def loss(self, gamma=0.5):
        ret, returns = torch.zeros_like(self.rewards[0]), []
        for r in reversed(self.rewards):
            ret = r + gamma * ret
            returns.insert(0, ret)
        returns, values = torch.stack(returns), torch.stack(self.values)
        adv = returns - values.detach()
        pg = -(torch.stack(self.logp) * adv).mean()
        return pg + 0.5 * F.mse_loss(values, returns) - 0.01 * torch.stack(self.entropy).mean()


def collect(env, policy, carry, length):
    seg = Segment()
    for _ in range(length):
        dist, value = policy(env.observe(), carry)
        action = dist.sample()
        seg.add(dist, action, value, env.step(action))
    return seg


def main(updates=500, length=6):
    torch.manual_seed(0)
    env, policy = CueCorridor(), Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    carry = Carry(env.n, 24)
    for update in range(updates):
        seg = collect(env, policy, carry, length)
        loss = seg.loss()
        opt.zero_grad()
        loss.backward()
        opt.step()
        carry.cut()
        if update % 50 == 0:
            print(update, round(torch.stack(seg.rewards).mean().item(), 3), flush=True)


if __name__ == "__main__":
    main()
