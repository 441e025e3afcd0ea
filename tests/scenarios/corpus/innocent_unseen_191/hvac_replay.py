# gradwatch-corpus: kind=none
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, o))


class Room:
    def __init__(self, gen):
        self.gen = gen
        self.s = torch.zeros(2)

    def act(self, a):
        outside = torch.randn(2, generator=self.gen) * 0.2
        self.s = 0.9 * self.s + 0.3 * a + outside
        return -self.s.pow(2).mean() - 0.05 * a.pow(2).mean()


class Agent:
    def __init__(self):
        self.actor, self.critic, self.target = mlp(2, 2), mlp(4, 1), mlp(4, 1)
        self.target.load_state_dict(self.critic.state_dict())
        self.log_alpha = torch.zeros((), requires_grad=True)
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.opt_alpha = torch.optim.Adam([self.log_alpha], lr=1e-3)
        self.alpha_terms = []

    def sample(self, s):
        dist = torch.distributions.Normal(self.actor(s), 0.3)
        a = dist.rsample()
        return torch.tanh(a), dist.log_prob(a).sum(-1, keepdim=True)

    def update_critic(self, s, a, r, s2):
        with torch.no_grad():
            a2, lp2 = self.sample(s2)
            y = r + 0.9 * (self.target(torch.cat([s2, a2], -1)) - self.log_alpha.exp() * lp2)
        loss = F.mse_loss(self.critic(torch.cat([s, a], -1)), y)
        self.opt_critic.zero_grad()
        loss.backward()
        self.opt_critic.step()
        return loss

    def update_actor(self, s):
        a, lp = self.sample(s)
        self.critic.requires_grad_(False)
        loss = (self.log_alpha.detach().exp() * lp - self.critic(torch.cat([s, a], -1))).mean()
        self.opt_actor.zero_grad()
        loss.backward()
        self.opt_actor.step()
        self.critic.requires_grad_(True)
        self.alpha_terms.append(-self.log_alpha * (lp.detach() + 1.0).mean())

    def update_alpha(self):
        self.opt_alpha.zero_grad()
        torch.stack(self.alpha_terms).mean().backward()
        self.opt_alpha.step()
        self.alpha_terms.clear()

    @torch.no_grad()
    def track(self):
        for t, p in zip(self.target.parameters(), self.critic.parameters()):
            t.mul_(0.98).add_(p, alpha=0.02)


def main(steps=480):
    torch.manual_seed(210)
    random.seed(211)
    room, agent = Room(torch.Generator().manual_seed(212)), Agent()
    replay = deque(maxlen=90)
    s = room.s
    for step in range(steps):
        with torch.no_grad():
            a, _ = agent.sample(s)
        r = room.act(a)
        replay.append((s, a, r.view(1), room.s))
        s = room.s
        if len(replay) < 16:
            continue
        batch = [torch.stack(c) for c in zip(*random.sample(replay, 16))]
        loss = agent.update_critic(*batch)
        agent.track()
        if step % 2 == 0:
            agent.update_actor(batch[0])
        if len(agent.alpha_terms) == 15:
            agent.update_alpha()
        if step % 80 == 79:
            print(step + 1, f"critic {loss.item():.4f} alpha {agent.log_alpha.exp().item():.3f}")


if __name__ == "__main__":
    main()
