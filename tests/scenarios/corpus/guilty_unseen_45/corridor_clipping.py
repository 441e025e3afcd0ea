# gradwatch-corpus: kind=second-backward
# holder: rollout.advantages | rollout.returns | buf.advantages | buf.returns | self.advantages | self.returns | adv | rollout.val | buf.val | self.val
# first-bad: 1
import math
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

GAMMA, LAM, CLIP = 0.98, 0.95, 0.2


class CorridorVec:
    """Batch of 1-d corridors; reach the far end before the clock runs out."""

    def __init__(self, n_envs, size=12, limit=40):
        self.n, self.size, self.limit = n_envs, size, limit
        self.pos = torch.zeros(n_envs)
        self.clock = torch.zeros(n_envs)

    def observe(self):
        return torch.stack([self.pos / self.size, self.clock / self.limit,
                            torch.sin(self.pos)], dim=1)

    def step(self, action):
        self.pos = (self.pos + action.float() * 2 - 1).clamp(min=0)
        self.clock = self.clock + 1
        won = self.pos >= self.size
        done = won | (self.clock >= self.limit)
        reward = won.float() - 0.01
        keep = (~done).float()
        self.pos, self.clock = self.pos * keep, self.clock * keep
        return self.observe(), reward, done.float()


class ActorCritic(nn.Module):
    def __init__(self, obs_dim=3, hidden=48, n_act=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(),
                                  nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, n_act)
        self.v = nn.Linear(hidden, 1)

    def forward(self, obs):
        z = self.body(obs)
        return Categorical(logits=self.pi(z)), self.v(z).squeeze(-1)


@dataclass
class Rollout:
    obs: list = field(default_factory=list)
    act: list = field(default_factory=list)
    logp: list = field(default_factory=list)
    val: list = field(default_factory=list)
    rew: list = field(default_factory=list)
    done: list = field(default_factory=list)

    def finish(self, last_value):
        gae, out = torch.zeros_like(last_value), []
        nxt = last_value
        for r, v, d in zip(reversed(self.rew), reversed(self.val), reversed(self.done)):
            delta = r + GAMMA * nxt * (1 - d) - v
            gae = delta + GAMMA * LAM * (1 - d) * gae
            out.append(gae)
            nxt = v
        self.advantages = torch.stack(out[::-1])  # <- culprit
        self.returns = self.advantages + torch.stack(self.val)  # <- culprit
        return self


def collect(env, net, horizon=24):
    buf, obs = Rollout(), env.observe()
    for _ in range(horizon):
        dist, value = net(obs)  # <- culprit
        action = dist.sample()
        buf.obs.append(obs)
        buf.act.append(action)
        buf.logp.append(dist.log_prob(action).detach())
        buf.val.append(value)  # <- culprit
        obs, reward, done = env.step(action)
        buf.rew.append(reward)
        buf.done.append(done)
    with torch.no_grad():
        _, last = net(obs)
    return buf.finish(last)


def update(net, opt, rollout, epochs=4):
    obs, act = torch.stack(rollout.obs), torch.stack(rollout.act)
    logp_old = torch.stack(rollout.logp)
    adv = rollout.advantages  # <- culprit
    adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for _ in range(epochs):
        dist, value = net(obs)
        ratio = (dist.log_prob(act) - logp_old).exp()
        surr = torch.min(ratio * adv, ratio.clamp(1 - CLIP, 1 + CLIP) * adv).mean()
        v_loss = (rollout.returns - value).pow(2).mean()  # <- culprit
        loss = -surr + 0.5 * v_loss - 0.01 * dist.entropy().mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(5)
    env, net = CorridorVec(16), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=3e-4, eps=1e-5)
    for it in range(25):
        rollout = collect(env, net)
        last = update(net, opt, rollout)
        mean_r = torch.stack(rollout.rew).mean().item()
        if it % 5 == 0 and math.isfinite(last):
            print(f"iter {it:3d}  loss {last:+.3f}  reward {mean_r:+.4f}")
