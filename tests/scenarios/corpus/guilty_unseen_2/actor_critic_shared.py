# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""One-step actor-critic with a shared trunk on a noisy double integrator."""
import sys
import traceback
from collections import namedtuple

import torch
from torch import nn
from torch.distributions import Normal

Transition = namedtuple("Transition", "s a r s2")


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh())
        self.mu = nn.Linear(24, 1)
        self.v = nn.Linear(24, 1)
        self.log_std = nn.Parameter(torch.zeros(1))

    def forward(self, s):
        h = self.trunk(s)
        return Normal(self.mu(h), self.log_std.exp()), self.v(h)


def rollout(net, n=16):
    s = torch.randn(n, 2)
    with torch.no_grad():
        a = net(s)[0].sample()
    s2 = s + 0.1 * torch.cat([s[:, 1:], a], 1)
    return Transition(s, a, -(s2 ** 2).sum(1, keepdim=True), s2)


def learn(net, opt, tr, gamma=0.95):
    dist, value = net(tr.s)
    with torch.no_grad():
        target = tr.r + gamma * net(tr.s2)[1]
    adv = target - value  # <- culprit
    actor_loss = -(dist.log_prob(tr.a) * adv).mean()  # <- culprit
    critic_loss = adv.pow(2).mean()
    opt.zero_grad()
    actor_loss.backward()  # <- culprit
    critic_loss.backward()  # <- culprit
    opt.step()
    return actor_loss.item(), critic_loss.item()


def main():
    torch.manual_seed(64)
    net = ActorCritic()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    skipped = 0
    for it in range(150):
        try:
            a, c = learn(net, opt, rollout(net))
        except RuntimeError:
            if not skipped:
                traceback.print_exc(limit=1, file=sys.stdout)
            skipped += 1
            opt.step()
            continue
        if it % 30 == 0:
            print(it, a, c)
    print("skipped updates:", skipped)


main()
