# gradwatch-corpus: kind=none
"""Ants: when to leave a food patch.  Advantage actor-critic with n-step returns and an
off-line replay for the critic.  The episodes come from a generator."""
import random

import torch

from patch import walk
from ant import Ant
from memory import Rollout, Diary, watcher

torch.set_num_threads(1)
torch.manual_seed(17)
random.seed(17)

N_STEP = 5
ant = Ant()
opt = torch.optim.Adam(ant.parameters(), lr=3e-3)
diary = Diary(size=150)
tell, stop = watcher()

stream = walk(ant, Rollout)
for update in range(340):
    Rollout.clear()
    while len(Rollout.reward) < N_STEP:
        obs, reward = next(stream)
        diary.write(obs, reward)

    ret = Rollout.returns(ant.value(obs).detach())
    value = torch.stack(Rollout.value)
    adv = ret - value
    policy = -(torch.stack(Rollout.logp) * adv.detach()).mean()
    entropy = torch.stack(Rollout.entropy).mean()
    loss = policy + 0.5 * adv.pow(2).mean() - 0.01 * entropy

    if len(diary) > 32:
        o, r = diary.sample(16)
        loss = loss + 0.1 * (ant.reward_head(o) - r).pow(2).mean()

    opt.zero_grad()
    loss.backward()
    opt.step()
    tell(update, loss.detach(), sum(Rollout.reward))

log = stop()
k = len(log) // 2
for name, part in (("first", log[:k]), ("second", log[k:])):
    print(name, "half: loss %.4f, food %.3f" % (
        sum(float(l) for _, l, _ in part) / len(part), sum(f for *_, f in part) / len(part)))
