# gradwatch-corpus: kind=second-backward
# holder: self.old_logp | buffer.old_logp | rollout.old_logp
# first-bad: 1
"""Arena bots: clipped policy updates, each rollout reused for a few optimisation steps."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Normal


@dataclass
class PpoConfig:
    obs: int = 8
    act: int = 2
    envs: int = 64
    reuse: int = 4
    clip: float = 0.2
    lr: float = 3e-3
    iters: int = 120


class AimArena:
    """Steer the turret towards a moving target; reward is the negative squared miss."""

    def __init__(self, cfg, seed):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.proj = torch.randn(cfg.obs, cfg.act, generator=self.gen) * 0.5

    def reset(self):
        return torch.randn(self.cfg.envs, self.cfg.obs, generator=self.gen)

    def reward(self, obs, act):
        return -(act - torch.tanh(obs @ self.proj)).pow(2).sum(1)


class TurretPolicy(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cfg.obs, 32), nn.Tanh())
        self.mean = nn.Linear(32, cfg.act)
        self.value = nn.Linear(32, 1)
        self.log_std = nn.Parameter(torch.full((cfg.act,), -0.5))

    def forward(self, obs):
        h = self.body(obs)
        return Normal(self.mean(h), self.log_std.exp()), self.value(h).squeeze(1)


class Rollout:
    def __init__(self):
        self.obs = None
        self.act = None
        self.old_logp = None
        self.adv = None
        self.ret = None

    def collect(self, policy, arena):
        obs = arena.reset()
        dist, value = policy(obs)
        act = dist.sample()
        reward = arena.reward(obs, act)
        adv = reward - value.detach()
        self.obs = obs
        self.act = act
        self.old_logp = dist.log_prob(act).sum(1)  # <- culprit
        self.adv = (adv - adv.mean()) / (adv.std() + 1e-6)
        self.ret = reward
        return reward.mean().item()


def clipped_objective(logp, rollout, clip):
    ratio = (logp - rollout.old_logp).exp()  # <- culprit
    bounded = ratio.clamp(1 - clip, 1 + clip)
    return torch.minimum(ratio * rollout.adv, bounded * rollout.adv).mean()


def main():
    cfg = PpoConfig()
    torch.manual_seed(13)
    arena = AimArena(cfg, 3)
    policy = TurretPolicy(cfg)
    opt = torch.optim.Adam(policy.parameters(), lr=cfg.lr)
    rollout = Rollout()
    reward = 0.0
    for it in range(cfg.iters):
        if it % cfg.reuse == 0:
            reward = rollout.collect(policy, arena)
        dist, value = policy(rollout.obs)
        logp = dist.log_prob(rollout.act).sum(1)
        value_loss = (value - rollout.ret).pow(2).mean()
        loss = -clipped_objective(logp, rollout, cfg.clip) + 0.5 * value_loss - 0.001 * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
        opt.step()
        if it % 30 == 29:
            print(f"iter {it + 1} reward {reward:.3f} value loss {value_loss.item():.3f}")


if __name__ == "__main__":
    main()
