# gradwatch-corpus: kind=none

# REINFORCE + moving baseline for a 1D "moon lander" (thrust on / off), based on the pytorch examples repo
# no gym installed here so wrote the env myself
import random
from collections import deque

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Bernoulli

torch.set_num_threads(1)
torch.manual_seed(543)
random.seed(543)


class Lander:
    def reset(self):
        self.h, self.v, self.fuel, self.k = 1.0 + 0.2 * random.random(), 0.0, 1.0, 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.h, self.v * 5, self.fuel])

    def step(self, a):
        self.k += 1
        thrust = 0.05 if (a and self.fuel > 0) else 0.0
        self.fuel -= 0.05 if thrust else 0.0
        self.v += thrust - 0.025
        self.h += self.v
        if self.h <= 0 or self.k >= 18:
            r = -abs(self.v) * 10 if self.h <= 0 else -2.0 - self.h
            return self.obs(), r, True
        return self.obs(), -0.01, False


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(3, 24)
        self.action_head = nn.Linear(24, 1)
        self.value_head = nn.Linear(24, 1)
        self.saved_log_probs = []
        self.saved_values = []
        self.rewards = []
        self.ent = None

    def forward(self, x):
        x = torch.relu(self.affine1(x))
        return self.action_head(x).squeeze(-1), self.value_head(x).squeeze(-1)


policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=5e-3)
env = Lander()
baseline = None
best_loss, best_ep = None, -1
last_losses = deque(maxlen=20)
history = {'ret': [], 'adv': []}


def select_action(s):
    lo, v = policy(s)
    m = Bernoulli(logits=lo)
    a = m.sample()
    policy.saved_log_probs.append(m.log_prob(a))
    policy.saved_values.append(v)
    policy.ent = m.entropy() if policy.ent is None else policy.ent + m.entropy()
    return a.item()


def finish_episode():
    global baseline, best_loss, best_ep
    R, rets = 0, []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        rets.insert(0, R)
    rets = torch.tensor(rets)
    vals = torch.stack(policy.saved_values)
    # baseline = slow average of the critic (detached, learned this the hard way)
    mean_v = vals.mean()
    baseline = mean_v.detach() if baseline is None else 0.9 * baseline + 0.1 * mean_v.detach()
    adv = rets - 0.5 * (vals.detach() + baseline)
    pl = -(torch.stack(policy.saved_log_probs) * adv).mean()
    vl = nn.functional.smooth_l1_loss(vals, rets)
    loss = pl + vl - 0.01 * policy.ent / len(rets)
    optimizer.zero_grad()
    loss.backward(retain_graph=False)
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    del policy.saved_values[:]
    policy.ent = None
    history['adv'].append(adv)         # no graph in there
    last_losses.append(loss)
    return loss


for i_episode in range(360):
    s, done, ep_reward = env.reset(), False, 0
    while not done:
        a = select_action(s)
        s, r, done = env.step(a)
        policy.rewards.append(r)
        ep_reward += r
    l = finish_episode()
    if best_loss is None or l < best_loss:
        best_loss, best_ep = l, i_episode      # just the best one
    history['ret'].append(ep_reward)
    if i_episode % 60 == 59:
        print('Episode {}\tavg return {:.2f}\tavg loss {:.3f}\tbaseline {:.2f}'.format(
            i_episode + 1, sum(history['ret'][-60:]) / 60,
            torch.stack(list(last_losses)).mean().item(), baseline.item()))

print('lowest loss %.3f in episode %d' % (best_loss.item(), best_ep))
print('mean |adv| late:', torch.cat(history['adv'][-30:]).abs().mean().item())
