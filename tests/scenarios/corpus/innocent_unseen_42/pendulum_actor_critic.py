# gradwatch-corpus: kind=none
import argparse

import torch
import torch.nn as nn
from torch.distributions import Normal


class Pendulum:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.th = torch.rand(self.n) * 2 - 1
        self.w = torch.zeros(self.n)
        return self.obs()

    def obs(self):
        return torch.stack([self.th.cos(), self.th.sin(), self.w], 1)

    def step(self, u):
        self.w = self.w + 0.1 * (5 * self.th.sin() + u.clamp(-6, 6))
        self.th = self.th + 0.1 * self.w
        cost = self.th.clamp(-3, 3) ** 2 + 0.1 * self.w.clamp(-5, 5) ** 2
        return self.obs(), -cost


class ActorCritic(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(3, hidden), nn.Tanh())
        self.mu = nn.Linear(hidden, 1)
        self.log_std = nn.Parameter(torch.zeros(1))
        self.value = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Normal(self.mu(h).squeeze(-1), self.log_std.exp()), self.value(h).squeeze(-1)


def run_episode(env, net, horizon):
    logps, values, rewards, entropies = [], [], [], []
    obs = env.reset()
    for _ in range(horizon):
        dist, v = net(obs)
        a = dist.sample()
        logps.append(dist.log_prob(a))
        entropies.append(dist.entropy())
        values.append(v)
        obs, r = env.step(a)
        rewards.append(r)
    return torch.stack(logps), torch.stack(values), rewards, torch.stack(entropies)


def to_go(rewards, gamma):
    run, out = torch.zeros_like(rewards[0]), []
    for r in reversed(rewards):
        run = r + gamma * run
        out.append(run)
    return torch.stack(out[::-1])


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=90)
    args = ap.parse_args()
    torch.manual_seed(0)
    env, net = Pendulum(8), ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    best = None
    for ep in range(args.episodes):
        logps, values, rewards, ent = run_episode(env, net, 12)
        ret = to_go(rewards, 0.95)
        adv = ret - values
        actor_loss = -(logps * adv.detach()).mean() - 0.01 * ent.mean()
        critic_loss = adv.pow(2).mean()
        opt.zero_grad()
        actor_loss.backward(retain_graph=True)
        critic_loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        score = ret[0].mean().item()
        best = score if best is None else max(best, score)
        if ep % 15 == 0:
            print(f"ep {ep} return {score:.2f} best {best:.2f} critic {critic_loss.item():.2f}")


if __name__ == "__main__":
    main()
