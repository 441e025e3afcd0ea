# gradwatch-corpus: kind=none
"""A2C on a noisy corridor; updates every n steps."""
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Rollout:
    logps: list = field(default_factory=list)
    values: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    entropies: list = field(default_factory=list)

    def add(self, **kw):
        for k, v in kw.items():
            getattr(self, k + "s" if k != "entropy" else "entropies").append(v)

    def __len__(self):
        return len(self.rewards)

    def flush(self):
        for buf in vars(self).values():
            buf.clear()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, 32), nn.Tanh())
        self.pi, self.v = nn.Linear(32, 3), nn.Linear(32, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def corridor(n=8, seed=4):
    gen = torch.Generator().manual_seed(seed)
    x, reward = torch.zeros(n), torch.zeros(n)
    while True:
        action = yield torch.stack([x, x ** 2, x.sin()], 1), reward
        x = (x + 0.2 * (action - 1) + 0.05 * torch.randn(n, generator=gen)).clamp(-2, 2)
        reward = 1 - (x - 1).abs()


def losses(buf, bootstrap, gamma=0.95):
    ret, out = bootstrap, []
    for logp, value, reward, ent in zip(*(reversed(b) for b in (buf.logps, buf.values, buf.rewards, buf.entropies))):
        ret = reward + gamma * ret
        adv = ret - value
        out.append(-(adv.detach() * logp) + 0.5 * adv.pow(2) - 0.01 * ent)
    return torch.stack(out).mean()


def main(steps=2100, n_step=5):
    torch.manual_seed(2)
    net, buf, env = Net(), Rollout(), corridor()
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    returns = []
    obs, _ = next(env)
    for step in range(steps):
        dist, value = net(obs)
        action = dist.sample()
        obs, reward = env.send(action)
        buf.add(logp=dist.log_prob(action), value=value, reward=reward, entropy=dist.entropy())
        returns.append(reward.mean().item())
        if len(buf) == n_step:
            with torch.no_grad():
                bootstrap = net(obs)[1]
            loss = losses(buf, bootstrap)
            opt.zero_grad()
            loss.backward()
            opt.step()
            buf.flush()
        if step % 300 == 0:
            print(step, sum(returns[-100:]) / len(returns[-100:]))


if __name__ == "__main__":
    main()
