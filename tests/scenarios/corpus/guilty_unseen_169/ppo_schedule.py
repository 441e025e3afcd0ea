# gradwatch-corpus: kind=second-backward
# holder: old | roll.logp | roll | self.logp
# first-bad: 51
# notice: 0
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(101)


@dataclass
class Rollout:
    obs: list = field(default_factory=list)
    actions: list = field(default_factory=list)
    logp: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def add(self, **row):
        for k, v in row.items():
            getattr(self, k).append(v)

    def tensors(self):
        rewards = torch.stack(self.rewards)
        returns = rewards.flip(0).cumsum(0).flip(0)
        return torch.cat(self.obs), torch.cat(self.actions), torch.cat(self.logp), returns.flatten()  # <- culprit


class ReuseSchedule:
    """How often every rollout is passed through: (from update, passes)."""

    def __init__(self, table):
        self.table = table

    def __call__(self, update):
        return [n for start, n in self.table if update >= start][-1]


class ActorCritic(nn.Module):
    def __init__(self, d, n_act):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, n_act), nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class Balance:
    """A batch of one-dimensional poles pushed left, right or not at all."""

    def __init__(self, n):
        self.n = n

    def reset(self):
        self.s = 0.4 * torch.randn(self.n, 2)
        return self.s

    def step(self, action):
        force = action.float() - 1
        x, v = self.s.unbind(1)
        v = v + 0.2 * (x + force)
        self.s = torch.stack([(x + 0.2 * v).clamp(-3, 3), v.clamp(-3, 3)], 1)
        return self.s, -self.s[:, 0].abs()


class Agent:
    def __init__(self, net, env, schedule, clip=0.2):
        self.net, self.env, self.schedule, self.clip = net, env, schedule, clip
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.curve = []

    def collect(self, horizon=8):
        roll, obs = Rollout(), self.env.reset()
        for _ in range(horizon):
            dist, _ = self.net(obs)
            action = dist.sample()
            nxt, reward = self.env.step(action)
            roll.add(obs=obs, actions=action, logp=dist.log_prob(action), rewards=reward)  # <- culprit
            obs = nxt
        return roll

    def update(self, index):
        roll = self.collect()  # <- culprit
        obs, actions, old, returns = roll.tensors()  # <- culprit
        for _ in range(self.schedule(index)):
            dist, value = self.net(obs)
            adv = returns - value.detach()
            adv = (adv - adv.mean()) / (adv.std() + 1e-6)
            ratio = (dist.log_prob(actions) - old).exp()  # <- culprit
            surrogate = torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv)
            loss = -surrogate.mean() + 0.5 * (value - returns).pow(2).mean() - 0.01 * dist.entropy().mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        self.curve.append(torch.stack(roll.rewards).mean().item())


if __name__ == "__main__":
    agent = Agent(ActorCritic(2, 3), Balance(16), ReuseSchedule([(0, 1), (50, 4)]))
    for i in range(70):
        agent.update(i)
        if i % 10 == 0:
            print(f"update {i:3d} reward {agent.curve[-1]:.3f}")
