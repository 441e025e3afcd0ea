# gradwatch-corpus: kind=none
"""Advantage actor-critic for a vertical lander, saved actions as in the old examples."""
from collections import namedtuple
import random

import torch
from torch import nn
import torch.nn.functional as F
from torch.distributions import Bernoulli

SavedAction = namedtuple("SavedAction", "log_prob value entropy")


class Lander:
    def reset(self):
        self.h, self.v, self.t = random.uniform(3, 5), 0.0, 0
        return torch.tensor([self.h, self.v])

    def step(self, thrust):
        self.v += 0.25 * thrust - 0.12
        self.h += self.v
        self.t += 1
        done = self.h <= 0 or self.t >= 14
        r = -0.02 * thrust
        if done:
            r += 1.0 - 2 * abs(self.v) if self.h <= 0 else -1.0
        return torch.tensor([self.h, self.v]), r, done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(2, 32)
        self.actor, self.critic = nn.Linear(32, 1), nn.Linear(32, 1)
        self.saved, self.rewards = [], []

    def forward(self, s):
        h = torch.tanh(self.body(s))
        return self.actor(h).squeeze(-1), self.critic(h).squeeze(-1)

    def act(self, s):
        logit, value = self(s)
        d = Bernoulli(logits=logit)
        a = d.sample()
        self.saved.append(SavedAction(d.log_prob(a), value, d.entropy()))
        return a.item()


def finish_episode(model, opt, gamma=0.98):
    g, returns = 0.0, []
    for r in reversed(model.rewards):
        g = r + gamma * g
        returns.append(g)
    returns = torch.tensor(returns[::-1])
    policy, value = [], []
    for act, ret in zip(model.saved, returns):
        adv = ret - act.value.detach()
        policy.append(-act.log_prob * adv - 0.01 * act.entropy)
        value.append(F.smooth_l1_loss(act.value, ret))
    loss = torch.stack(policy).sum() + torch.stack(value).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    del model.saved[:]
    del model.rewards[:]
    return loss.detach()


def main(episodes=420):
    random.seed(33)
    torch.manual_seed(33)
    env, model = Lander(), ActorCritic()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    smoothed, scores, loss_ema = None, [], torch.zeros(())
    for ep in range(episodes):
        s, done, total = env.reset(), False, 0.0
        while not done:
            s, r, done = env.step(model.act(s))
            model.rewards.append(r)
            total += r
        loss_ema = 0.9 * loss_ema + 0.1 * finish_episode(model, opt)
        smoothed = total if smoothed is None else 0.95 * smoothed + 0.05 * total
        scores.append(smoothed)
        if ep % 60 == 0:
            print(f"episode {ep} score {scores[-1]:+.3f} loss {loss_ema.item():+.3f}")


if __name__ == "__main__":
    main()
