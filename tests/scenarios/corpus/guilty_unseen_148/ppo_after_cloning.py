# gradwatch-corpus: kind=second-backward
# holder: self.logp | roll.logp | roll | mb.logp
# first-bad: 21
# notice: 0
"""Gaussian-policy PPO on a double integrator, started from a behaviour-cloned policy."""
from dataclasses import dataclass, fields

import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(14)


@dataclass
class Rollout:
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    ret: torch.Tensor

    def minibatches(self, size):
        for idx in torch.randperm(len(self.obs)).split(size):
            yield Rollout(*(getattr(self, f.name)[idx] for f in fields(self)))


class DoubleIntegrator:
    def __init__(self, n):
        self.x = torch.randn(n, 2)

    def step(self, a):
        pos, vel = self.x.unbind(1)
        vel = vel + 0.1 * a.squeeze(1).clamp(-2, 2)
        self.x = torch.stack([pos + 0.1 * vel, vel], 1)
        cost = pos.square() + 0.1 * vel.square()
        lost = pos.abs() > 4
        self.x = torch.where(lost[:, None], torch.randn_like(self.x), self.x)
        return self.x, -cost


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.v = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.zeros(1) - 0.5)

    def dist(self, obs):
        return Normal(self.mu(obs), self.log_std.exp())


def clone_expert(policy, opt, iters=20):
    for _ in range(iters):
        obs = 2 * torch.randn(64, 2)
        target = -(obs @ torch.tensor([[1.0], [1.5]]))
        loss = -policy.dist(obs).log_prob(target).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def collect(policy, env, steps=16, gamma=0.95):
    obs, O, A, L, R = env.x, [], [], [], []
    for _ in range(steps):
        d = policy.dist(obs)
        a = d.sample()
        O.append(obs), A.append(a), L.append(d.log_prob(a).squeeze(1))  # <- culprit
        obs, r = env.step(a)
        R.append(r)
    g, ret = policy.v(obs).squeeze(1).detach(), []
    for r in reversed(R):
        g = r + gamma * g
        ret.insert(0, g)
    return Rollout(torch.cat(O), torch.cat(A), torch.cat(L), torch.cat(ret))  # <- culprit


def ppo_loss(policy, mb, clip=0.2):
    v = policy.v(mb.obs).squeeze(1)
    adv = (mb.ret - v).detach()
    adv = (adv - adv.mean()) / (adv.std() + 1e-6)
    ratio = (policy.dist(mb.obs).log_prob(mb.act).squeeze(1) - mb.logp).exp()  # <- culprit
    surr = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv)
    return -surr.mean() + 0.5 * (v - mb.ret).square().mean()


def main():
    policy, env = Policy(), DoubleIntegrator(16)
    opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
    print(f"cloned: nll {clone_expert(policy, opt):.3f}")
    skipped = done = 0
    for it in range(15):
        roll = collect(policy, env)
        for mb in roll.minibatches(64):
            opt.zero_grad()
            try:
                ppo_loss(policy, mb).backward()
            except RuntimeError as err:
                skipped += 1
                if skipped == 1:
                    print("minibatch skipped:", str(err).split(".")[0])
                continue
            opt.step()
            done += 1
        print(f"iter {it}: return {roll.ret.mean().item():.2f} done {done} skipped {skipped}")


if __name__ == "__main__":
    main()
