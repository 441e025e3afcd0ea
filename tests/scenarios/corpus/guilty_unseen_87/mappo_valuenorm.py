# gradwatch-corpus: kind=inplace-modified
# holder: self.std | agent.value_norm.std | self.value_norm.std | value_norm.std
# first-bad: 60
# notice: 0
"""Two-agent cooperative navigation with a shared actor and a centralised critic (MAPPO-like),
GAE and a running value normaliser."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

N_ENV, HORIZON, N_AGENT, OBS, ACT = 8, 10, 2, 6, 5
MOVES = torch.tensor([[0., 0.], [.1, 0.], [-.1, 0.], [0., .1], [0., -.1]])


class Navigation:
    def __init__(self):
        self.reset()

    def reset(self):
        self.pos = torch.rand(N_ENV, N_AGENT, 2) * 2 - 1
        self.goal = torch.rand(N_ENV, N_AGENT, 2) * 2 - 1
        return self.obs()

    def obs(self):
        other = self.pos.flip(1)
        return torch.cat([self.pos, self.goal - self.pos, other - self.pos], -1)

    def step(self, act):
        self.pos = (self.pos + MOVES[act]).clamp(-1, 1)
        dist = (self.pos - self.goal).norm(dim=-1)
        crowd = ((self.pos[:, 0] - self.pos[:, 1]).norm(dim=-1) < 0.15).float()
        return self.obs(), -dist.mean(1) - 0.5 * crowd


class ValueNorm(nn.Module):
    """Running moments of the returns; values are predicted in normalised units."""

    def __init__(self, beta=0.98, start=60, eps=1e-3):
        super().__init__()
        self.beta, self.start, self.eps = beta, start, eps
        self.register_buffer("mean", torch.zeros(()))
        self.register_buffer("sq", torch.ones(()))
        self.register_buffer("std", torch.ones(()))
        self.seen = 0

    @torch.no_grad()
    def update(self, returns):
        self.seen += 1
        self.mean.mul_(self.beta).add_(returns.mean(), alpha=1 - self.beta)
        self.sq.mul_(self.beta).add_(returns.pow(2).mean(), alpha=1 - self.beta)
        if self.seen > self.start:  # let the moments settle first
            self.std.copy_((self.sq - self.mean ** 2).clamp_min(self.eps).sqrt())  # <- culprit

    def denormalize(self, v):
        return v * self.std + self.mean


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 48), nn.Tanh(), nn.Linear(48, o))


class Agent(nn.Module):
    def __init__(self):
        super().__init__()
        self.actor, self.critic = mlp(OBS, ACT), mlp(OBS * N_AGENT, 1)
        self.value_norm = ValueNorm()

    def value(self, obs):
        return self.value_norm.denormalize(self.critic(obs.flatten(-2)).squeeze(-1))


def gae(rew, val, last, gamma=0.97, lam=0.95):
    adv, run = torch.zeros_like(rew), torch.zeros(N_ENV)
    for t in reversed(range(HORIZON)):
        nxt = last if t == HORIZON - 1 else val[t + 1]
        run = rew[t] + gamma * nxt - val[t] + gamma * lam * run
        adv[t] = run
    return adv, adv + val


@torch.no_grad()
def collect(env, agent, obs):
    buf = {k: [] for k in ("obs", "act", "rew", "logp")}
    for _ in range(HORIZON):
        d = Categorical(logits=agent.actor(obs))
        a = d.sample()
        nxt, r = env.step(a)
        for k, v in zip(buf, (obs, a, r, d.log_prob(a))):
            buf[k].append(v)
        obs = nxt
    return {k: torch.stack(v) for k, v in buf.items()}, obs


def update(agent, opt, roll, last_obs, clip=0.2):
    values = agent.value(roll["obs"])
    with torch.no_grad():
        adv, ret = gae(roll["rew"], values, agent.value(last_obs))
        agent.value_norm.update(ret)  # <- culprit
        adv = ((adv - adv.mean()) / (adv.std() + 1e-6)).unsqueeze(-1)
    d = Categorical(logits=agent.actor(roll["obs"]))
    ratio = (d.log_prob(roll["act"]) - roll["logp"]).exp()
    pi_loss = -torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()
    loss = pi_loss + 0.5 * F.smooth_l1_loss(values, ret) - 0.01 * d.entropy().mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
    opt.step()
    return pi_loss.item(), roll["rew"].mean().item()


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(5)
    env, agent = Navigation(), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=1e-3)
    for it in range(300):
        obs = env.reset() if it % 4 == 0 else obs
        roll, obs = collect(env, agent, obs)
        pl, rew = update(agent, opt, roll, obs)
        if it % 20 == 0:
            print(f"iter {it} reward {rew:.3f} pi {pl:.4f} v-std {agent.value_norm.std.item():.2f}")
