# gradwatch-corpus: kind=none
"""RL^2 on Bernoulli bandits: GRU policy, truncated BPTT over a long trial."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


def args_default():
    p = argparse.ArgumentParser()
    p.add_argument("--arms", type=int, default=5)
    p.add_argument("--envs", type=int, default=16)
    p.add_argument("--hidden", type=int, default=32)
    p.add_argument("--trunc", type=int, default=8)
    p.add_argument("--segments", type=int, default=12)
    p.add_argument("--trials", type=int, default=7)
    p.add_argument("--gamma", type=float, default=0.9)
    p.add_argument("--ent", type=float, default=0.02)
    return p.parse_args([])


class Bandits:
    def __init__(self, envs, arms):
        self.p = torch.rand(envs, arms)

    def pull(self, a):
        return torch.bernoulli(self.p.gather(1, a[:, None]).squeeze(1))


class MetaPolicy(nn.Module):
    def __init__(self, arms, hidden):
        super().__init__()
        self.arms = arms
        self.cell = nn.GRUCell(arms + 1, hidden)
        self.pi = nn.Linear(hidden, arms)
        self.v = nn.Linear(hidden, 1)
        self.state = None
        self.last = None

    def begin_trial(self, envs):
        self.state = torch.zeros(envs, self.cell.hidden_size)
        self.last = torch.zeros(envs, self.arms + 1)

    def cut(self):
        self.state = self.state.detach()

    def act(self):
        self.state = self.cell(self.last, self.state)
        dist = torch.distributions.Categorical(logits=self.pi(self.state))
        a = dist.sample()
        return a, dist.log_prob(a), dist.entropy(), self.v(self.state).squeeze(-1)

    def observe(self, a, r):
        self.last = torch.cat([F.one_hot(a, self.arms).float(), r[:, None]], dim=-1)


def discounted(rewards, boot, gamma):
    out = []
    acc = boot
    for r in reversed(rewards):
        acc = r + gamma * acc
        out.append(acc)
    return torch.stack(out[::-1])


def segment(policy, env, args):
    buf = {"logp": [], "ent": [], "v": [], "r": []}
    for _ in range(args.trunc):
        a, logp, ent, v = policy.act()
        r = env.pull(a)
        policy.observe(a, r)
        buf["logp"].append(logp)
        buf["ent"].append(ent)
        buf["v"].append(v)
        buf["r"].append(r)
    values = torch.stack(buf["v"])
    target = discounted(buf["r"], values[-1].detach(), args.gamma)
    adv = target - values
    pg = -(torch.stack(buf["logp"]) * adv.detach()).mean()
    loss = pg + 0.5 * adv.square().mean() - args.ent * torch.stack(buf["ent"]).mean()
    return loss, torch.stack(buf["r"]).mean().item()


def main():
    args = args_default()
    torch.manual_seed(2)
    policy = MetaPolicy(args.arms, args.hidden)
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    for trial in range(args.trials):
        env = Bandits(args.envs, args.arms)
        policy.begin_trial(args.envs)
        rewards = []
        for _ in range(args.segments):
            loss, mean_r = segment(policy, env, args)
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            opt.step()
            policy.cut()
            rewards.append(mean_r)
        print(f"trial {trial} first {rewards[0]:.3f} last {rewards[-1]:.3f}")


if __name__ == "__main__":
    main()
