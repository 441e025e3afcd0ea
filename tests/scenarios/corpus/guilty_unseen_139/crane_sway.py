# gradwatch-corpus: kind=second-backward
# holder: batch.returns | rollout.returns | buf.values | self.values | batch["returns"]
# first-bad: 6
# notice: 0
"""PPO for a gantry crane's sway, tile-coded critic; the number of passes over a rollout grows with experience."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(88)


@dataclass
class PPOConfig:
    horizon: int = 24
    gamma: float = 0.95
    lam: float = 0.9
    clip: float = 0.2
    rollouts: int = 100
    centres: int = 16


class Crane:
    def reset(self):
        self.x = torch.randn(2) * 0.5
        return self.x.clone()

    def step(self, push):
        angle, rate = self.x.tolist()
        rate += 0.1 * (-2.0 * angle - 0.1 * rate + push)
        angle += 0.1 * rate
        self.x = torch.tensor([angle, rate])
        return self.x.clone(), -(angle ** 2 + 0.1 * rate ** 2 + 0.01 * push ** 2)


class Tiles(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.register_buffer("mid", torch.randn(n, 2))
        self.weight = nn.Linear(n, 1, bias=False)

    def forward(self, obs):
        return self.weight(torch.exp(-torch.cdist(obs, self.mid).square())).squeeze(-1)


class RolloutBuffer:
    def __init__(self):
        self.rows = []

    def add(self, obs, act, logp, rew):
        self.rows.append((obs, act, logp, rew))

    def finish(self, critic, last_obs, cfg):
        obs, act, logp, rew = (list(c) for c in zip(*self.rows))
        obs = torch.stack(obs)
        self.values = critic(obs)  # <- culprit
        with torch.no_grad():
            nxt = torch.cat([self.values[1:], critic(last_obs[None])])
        delta = torch.tensor(rew) + cfg.gamma * nxt - self.values
        adv, run = [], torch.zeros(())
        for d in delta.flip(0):
            run = d + cfg.gamma * cfg.lam * run
            adv.append(run)
        adv = torch.stack(adv[::-1])
        self.rows.clear()
        return dict(obs=obs, act=torch.stack(act), logp=torch.stack(logp),
                    adv=adv.detach(), returns=adv + self.values)  # <- culprit


class PPO:
    def __init__(self, cfg):
        self.cfg = cfg
        self.mean = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 1))
        self.log_std = nn.Parameter(torch.zeros(1))
        self.critic = Tiles(cfg.centres)
        params = [*self.mean.parameters(), self.log_std, *self.critic.parameters()]
        self.opt = torch.optim.Adam(params, lr=3e-3)

    def policy(self, obs):
        return Normal(self.mean(obs), self.log_std.exp())

    def passes(self, n):
        return 1 if n < 5 else 4

    def improve(self, batch, passes):
        for _ in range(passes):
            logp = self.policy(batch["obs"]).log_prob(batch["act"]).squeeze(-1)
            ratio = (logp - batch["logp"]).exp()
            adv = batch["adv"]
            surrogate = torch.min(ratio * adv, ratio.clamp(1 - self.cfg.clip, 1 + self.cfg.clip) * adv)
            vloss = (self.critic(batch["obs"]) - batch["returns"]).pow(2).mean()
            self.opt.zero_grad()
            (vloss - surrogate.mean()).backward()
            self.opt.step()
        return vloss.item()


def main():
    cfg = PPOConfig()
    env, agent, buf = Crane(), PPO(cfg), RolloutBuffer()
    obs = env.reset()
    for n in range(cfg.rollouts):
        for _ in range(cfg.horizon):
            with torch.no_grad():
                dist = agent.policy(obs)
                act = dist.sample()
                logp = dist.log_prob(act).squeeze(-1)
            nxt, rew = env.step(act.item())
            buf.add(obs, act, logp, rew)
            obs = nxt
        batch = buf.finish(agent.critic, obs, cfg)
        print(n, round(agent.improve(batch, agent.passes(n)), 4))


if __name__ == "__main__":
    main()
