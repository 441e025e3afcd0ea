# gradwatch-corpus: kind=retain-needless
# first-bad: 0
"""PPO for a one-dimensional lander."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Normal


@dataclass
class Rollout:
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    ret: torch.Tensor
    adv: torch.Tensor

    def minibatches(self, size):
        for idx in torch.randperm(len(self.obs)).split(size):
            yield Rollout(*(getattr(self, k)[idx] for k in ("obs", "act", "logp", "ret", "adv")))


class Landers:
    def __init__(self, n=16):
        self.n = n
        self.h, self.v = torch.empty(n).uniform_(1, 2), torch.zeros(n)

    def obs(self):
        return torch.stack([self.h, self.v], dim=1)

    def step(self, thrust):
        self.v = self.v + 0.1 * (thrust.clamp(0, 2) - 1.0)
        self.h = self.h + 0.1 * self.v
        down = self.h <= 0
        reward = torch.where(down, 2 - 4 * self.v.abs(), -0.02 - 0.01 * thrust.abs())
        self.h = torch.where(down, torch.empty(self.n).uniform_(1, 2), self.h).clamp(max=4)
        self.v = torch.where(down, torch.zeros(self.n), self.v)
        return reward, down.float()


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.mu, self.value = nn.Linear(32, 1), nn.Linear(32, 1)
        self.log_std = nn.Parameter(torch.tensor(-0.5))

    def forward(self, obs):
        z = self.base(obs)
        return Normal(self.mu(z).squeeze(-1) + 1, self.log_std.exp()), self.value(z).squeeze(-1)


@torch.no_grad()
def gather(policy, env, length=32, gamma=0.97):
    rows, rewards, ends, values = [], [], [], []
    for _ in range(length):
        obs = env.obs()
        dist, value = policy(obs)
        act = dist.sample()
        reward, end = env.step(act)
        rows.append((obs, act, dist.log_prob(act)))
        rewards.append(reward), ends.append(end), values.append(value)
    ret, back = policy(env.obs())[1], []
    for r, e in zip(reversed(rewards), reversed(ends)):
        ret = r + gamma * ret * (1 - e)
        back.append(ret)
    rets, vals = torch.stack(back[::-1]).flatten(), torch.stack(values).flatten()
    adv = rets - vals
    obs, act, logp = (torch.cat(c) for c in zip(*rows))
    return Rollout(obs, act, logp, rets, (adv - adv.mean()) / (adv.std() + 1e-8)), torch.stack(rewards).mean()


class PPO:
    def __init__(self, policy, clip=0.2, lr=1e-3):
        self.policy, self.clip = policy, clip
        self.opt = torch.optim.Adam(policy.parameters(), lr=lr)

    def losses(self, mb):
        dist, value = self.policy(mb.obs)
        ratio = (dist.log_prob(mb.act) - mb.logp).exp()
        gain = torch.min(ratio * mb.adv, ratio.clamp(1 - self.clip, 1 + self.clip) * mb.adv).mean()
        return -gain, (value - mb.ret).pow(2).mean(), dist.entropy().mean()

    def update(self, rollout, epochs=3):
        for _ in range(epochs):
            for mb in rollout.minibatches(128):
                pi_loss, v_loss, entropy = self.losses(mb)
                self.opt.zero_grad()
                (pi_loss + 0.5 * v_loss - 0.003 * entropy).backward(retain_graph=True)  # <- culprit
                nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
                self.opt.step()
        return pi_loss.item(), v_loss.item()


if __name__ == "__main__":
    torch.manual_seed(14)
    env, ppo = Landers(), PPO(Policy())
    for n in range(12):
        rollout, mean_reward = gather(ppo.policy, env)
        pi_loss, v_loss = ppo.update(rollout)
        if n % 3 == 0:
            print(f"round {n:2d} reward {mean_reward:+.3f} pi {pi_loss:+.3f} v {v_loss:.3f}")
