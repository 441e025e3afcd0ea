# gradwatch-corpus: kind=none
"""REINFORCE with a recurrent policy on a noisy balancing task.

Log-probabilities pile up over an episode and episodes get longer as the agent gets better; an update
is made of two episodes whose losses are summed.  The value baseline carries over, so does memory.
"""
import torch
from torch import nn
from torch.distributions import Bernoulli

torch.set_num_threads(1)
torch.manual_seed(12)


class Balance:
    def __init__(self, cap):
        self.cap = cap

    def reset(self):
        self.s = torch.empty(2).uniform_(-0.05, 0.05)
        self.t = 0
        return self.s

    def step(self, push):
        angle, speed = self.s.unbind()
        speed = speed + 0.15 * angle + 0.06 * (2 * push - 1) + 0.004 * torch.randn(())
        self.s = torch.stack([angle + speed, speed])
        self.t += 1
        done = bool(self.s[0].abs() > 0.5) or self.t >= self.cap
        return self.s, 1.0, done


class Policy(nn.Module):
    def __init__(self, h=12):
        super().__init__()
        self.cell = nn.GRUCell(2, h)
        self.act, self.val = nn.Linear(h, 1), nn.Linear(h, 1)
        self.memory = torch.zeros(1, h)
        self.saved = []

    def forward(self, obs):
        self.memory = self.cell(obs.view(1, -1) * 5, self.memory)
        return Bernoulli(logits=self.act(self.memory).squeeze(), validate_args=False), self.val(self.memory).squeeze()

    def episode_over(self):
        self.saved = []
        self.memory = 0.5 * self.memory.detach()


class Agent:
    def __init__(self, cap):
        self.env, self.policy = Balance(cap), Policy()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=6e-3)
        self.pending = 0.0
        self.lengths, self.trail, self.scale = [], [], None

    def episode(self):
        obs, done, rewards = self.env.reset(), False, []
        while not done:
            dist, v = self.policy(obs)
            a = dist.sample()
            obs, r, done = self.env.step(a)
            self.policy.saved.append((dist.log_prob(a), v, dist.entropy()))
            rewards.append(r)
        return rewards

    def episode_loss(self, rewards):
        ret, out = 0.0, []
        for r in reversed(rewards):
            ret = r + 0.95 * ret
            out.insert(0, ret)
        ret = torch.tensor(out)
        self.scale = ret.std(unbiased=False) if self.scale is None else 0.9 * self.scale + 0.1 * ret.std(unbiased=False)
        logp, v, ent = (torch.stack(c) for c in zip(*self.policy.saved))
        adv = (ret - v.detach() * 10) / (self.scale + 1e-3)
        self.trail.append((logp.detach(), adv))
        return -(logp * adv).mean() + 0.1 * (v - ret / 10).pow(2).mean() - 0.01 * ent.mean()

    def update(self):
        self.opt.zero_grad()
        (self.pending / 2).backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 1.0)
        self.opt.step()
        self.pending = 0.0


def main(updates=310):
    agent = Agent(cap=9)
    for ep in range(updates * 2):
        rewards = agent.episode()
        agent.pending = agent.pending + agent.episode_loss(rewards)
        agent.policy.episode_over()
        agent.lengths.append(len(rewards))
        if ep % 2 == 1:
            agent.update()
        if (ep + 1) % 100 == 0:
            last = agent.lengths[-100:]
            print(f"episode {ep + 1} mean length {sum(last) / len(last):.2f}")


main()
