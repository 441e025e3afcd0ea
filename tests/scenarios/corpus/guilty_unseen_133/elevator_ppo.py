# gradwatch-corpus: kind=second-backward
# holder: rollout.adv | batch.adv | adv | roll.adv
# first-bad: 31
# notice: 0
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)


@dataclass
class Rollout:
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    ret: torch.Tensor
    adv: torch.Tensor


class Shaft:
    """Toy dispatching world: stay with the demand as it wanders between floors."""

    def __init__(self, floors=6):
        self.floors = floors
        self.reset()

    def reset(self):
        self.car = torch.randint(0, self.floors, ()).item()
        self.call = torch.randint(0, self.floors, ()).item()
        return self.view()

    def view(self):
        v = torch.zeros(2 * self.floors)
        v[self.car] = v[self.floors + self.call] = 1.0
        return v

    def move(self, a):
        self.car = min(max(self.car + a - 1, 0), self.floors - 1)
        reward = -abs(self.car - self.call) / self.floors
        if torch.rand(()).item() < 0.2:
            self.call = torch.randint(0, self.floors, ()).item()
        return self.view(), reward


class Agent(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.actor = nn.Sequential(nn.Linear(d, 24), nn.Tanh(), nn.Linear(24, 3))
        self.critic = nn.Sequential(nn.Linear(d, 24), nn.Tanh(), nn.Linear(24, 1))


def collect(agent, world, horizon, gamma=0.9):
    obs, act, logp, rew = [], [], [], []
    v = world.reset()
    with torch.no_grad():
        for _ in range(horizon):
            pi = Categorical(logits=agent.actor(v))
            a = pi.sample()
            obs.append(v); act.append(a); logp.append(pi.log_prob(a))
            v, r = world.move(a.item())
            rew.append(r)
    ret, run = [], 0.0
    for r in reversed(rew):
        run = r + gamma * run
        ret.append(run)
    obs, ret = torch.stack(obs), torch.tensor(ret[::-1])
    base = agent.critic(obs).squeeze(-1)
    return Rollout(obs, torch.stack(act), torch.stack(logp), ret, ret - base)  # <- culprit


def improve(agent, opt, rollout, passes, clip=0.2):
    for _ in range(passes):
        pi = Categorical(logits=agent.actor(rollout.obs))
        ratio = (pi.log_prob(rollout.act) - rollout.logp).exp()
        gain = torch.min(ratio * rollout.adv, ratio.clamp(1 - clip, 1 + clip) * rollout.adv)
        value = (agent.critic(rollout.obs).squeeze(-1) - rollout.ret).square()
        loss = -gain.mean() + 0.5 * value.mean() - 0.01 * pi.entropy().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def passes_at(k):
    return 1 if k < 30 else 4


def main():
    torch.manual_seed(19)
    world, agent = Shaft(), Agent(12)
    opt = torch.optim.Adam(agent.parameters(), lr=3e-3)
    for k in range(120):
        out = improve(agent, opt, collect(agent, world, 32), passes_at(k))
    print(out)


if __name__ == "__main__":
    main()
