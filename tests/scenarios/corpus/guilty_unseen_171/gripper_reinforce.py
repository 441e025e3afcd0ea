# gradwatch-corpus: kind=graph-held
# holder: log | log[ep]
# first-bad: 1
"""REINFORCE for a two-joint arm that must put its gripper on a target. One update per episode."""
import math
import random

import torch
from torch import nn
from torch.distributions import Normal

random.seed(8)
torch.manual_seed(8)

L1, L2 = 1.0, 0.7
EPISODES = 420
T = 10
GAMMA = 0.95


def gripper(q):
    x = L1 * math.cos(q[0]) + L2 * math.cos(q[0] + q[1])
    y = L1 * math.sin(q[0]) + L2 * math.sin(q[0] + q[1])
    return x, y


def reset():
    q = [random.uniform(-1, 1), random.uniform(-1, 1)]
    r, a = random.uniform(0.5, 1.6), random.uniform(-1.5, 1.5)
    return q, (r * math.cos(a), r * math.sin(a))


def observe(q, goal):
    gx, gy = gripper(q)
    return torch.tensor([math.cos(q[0]), math.sin(q[0]), math.cos(q[1]), math.sin(q[1]),
                         goal[0], goal[1], goal[0] - gx, goal[1] - gy])


policy = nn.Sequential(nn.Linear(8, 48), nn.Tanh(), nn.Linear(48, 2))
log_std = nn.Parameter(torch.full((2,), -1.0))
optim = torch.optim.Adam([*policy.parameters(), log_std], lr=3e-3)

log = {}
baseline = 0.0

for ep in range(EPISODES):
    q, goal = reset()
    logps, rewards, ents = [], [], []
    for t in range(T):
        dist = Normal(policy(observe(q, goal)), log_std.exp())
        act = dist.sample()
        logps.append(dist.log_prob(act).sum())
        ents.append(dist.entropy().sum())
        dq = (0.3 * act.clamp(-1, 1)).tolist()
        q = [q[0] + dq[0], q[1] + dq[1]]
        gx, gy = gripper(q)
        miss = math.hypot(gx - goal[0], gy - goal[1])
        rewards.append(-miss)
        if miss < 0.05:
            rewards[-1] += 1.0
            break

    G, returns = 0.0, []
    for r in reversed(rewards):
        G = r + GAMMA * G
        returns.insert(0, G)
    adv = torch.tensor(returns) - baseline
    baseline = 0.95 * baseline + 0.05 * returns[0]

    logp = torch.stack(logps)
    entropy = torch.stack(ents).mean()
    loss = -(logp * adv).mean() - 0.003 * entropy

    optim.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
    optim.step()

    log[ep] = {"ret": returns[0], "miss": miss, "len": len(rewards), "entropy": entropy}  # <- culprit

    if ep % 60 == 59:
        last = [log[e] for e in range(ep - 59, ep + 1)]
        print("ep %4d  return %.3f  final miss %.3f  length %.1f  entropy %.3f" % (
            ep + 1,
            sum(d["ret"] for d in last) / 60,
            sum(d["miss"] for d in last) / 60,
            sum(d["len"] for d in last) / 60,
            sum(float(d["entropy"]) for d in last) / 60,
        ))

best = max(log, key=lambda e: log[e]["ret"])
print("best episode:", best, "return %.3f" % log[best]["ret"])
