# gradwatch-corpus: kind=second-backward
# first-bad: 20
"""Cooperative multi-agent policy gradient with a centralised critic (MAPPO without clipping).
The critic is warmed up alone for the first updates."""
import argparse

import torch
import torch.nn as nn
from torch.distributions import Categorical

N_AGENTS, OBS, ACTIONS = 3, 4, 5


class Meeting:
    """Agents on a ring must come together."""

    def __init__(self, size=12):
        self.size = size

    def reset(self):
        self.pos = torch.randint(0, self.size, (N_AGENTS,))
        return self.observe()

    def observe(self):
        ang = self.pos.float() * 6.2832 / self.size
        own = torch.stack([ang.sin(), ang.cos()], -1)
        return torch.cat([own, own.mean(0, keepdim=True).expand_as(own)], -1)

    def step(self, acts):
        self.pos = (self.pos + acts - 2) % self.size
        obs = self.observe()
        return obs, obs[0, 2:].norm().item()


class Rollout:
    def __init__(self):
        self.logps, self.values, self.rewards, self.entropies = [], [], [], []

    def gae(self, last_value, gamma, lam):
        values = torch.stack(self.values)
        nxt = torch.cat([values[1:], last_value.view(1)]).detach()
        deltas = torch.tensor(self.rewards) + gamma * nxt - values  # <- culprit
        adv, running = [], 0.0
        for d in deltas.flip(0):
            running = d + gamma * lam * running
            adv.append(running)
        adv = torch.stack(adv[::-1])  # <- culprit
        returns = (adv + values).detach()
        return adv, returns, values  # <- culprit


def collect(env, actor, critic, length):
    ro, obs = Rollout(), env.reset()
    for _ in range(length):
        dist = Categorical(logits=actor(obs))
        act = dist.sample()
        ro.values.append(critic(obs.flatten()).squeeze())
        ro.logps.append(dist.log_prob(act).sum())
        ro.entropies.append(dist.entropy().mean())
        obs, r = env.step(act)
        ro.rewards.append(r)
    with torch.no_grad():
        last = critic(obs.flatten()).squeeze()
    return ro, last


def policy_loss(ro, adv, ent_coef):
    logps = torch.stack(ro.logps)
    return -(logps * adv).mean() - ent_coef * torch.stack(ro.entropies).mean()  # <- culprit


def main(args):
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    env = Meeting()
    actor = nn.Sequential(nn.Linear(OBS, 32), nn.Tanh(), nn.Linear(32, ACTIONS))
    critic = nn.Sequential(nn.Linear(OBS * N_AGENTS, 32), nn.Tanh(), nn.Linear(32, 1))
    actor_opt = torch.optim.Adam(actor.parameters(), 1e-3)
    critic_opt = torch.optim.Adam(critic.parameters(), 3e-3)
    for update in range(args.updates):
        ro, last = collect(env, actor, critic, args.length)
        adv, returns, values = ro.gae(last, 0.95, 0.9)
        v_loss = (values - returns).pow(2).mean()
        critic_opt.zero_grad()
        v_loss.backward()
        if update >= args.critic_warmup:
            pi_loss = policy_loss(ro, adv, 0.01)  # <- culprit
            actor_opt.zero_grad()
            pi_loss.backward()
            actor_opt.step()
        critic_opt.step()
        if update % 10 == 0:
            print(f"update {update} R {sum(ro.rewards):.2f} v_loss {v_loss.item():.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=100)
    p.add_argument("--length", type=int, default=16)
    p.add_argument("--critic-warmup", type=int, default=20)
    p.add_argument("--seed", type=int, default=2)
    main(p.parse_args())
