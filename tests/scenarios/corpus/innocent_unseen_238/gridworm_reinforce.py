# gradwatch-corpus: kind=none
# worm that crawls to sugar, REINFORCE with everything in globals
import random

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(7)
random.seed(7)

SIDE = 7
GAMMA = 0.9
EPISODES = 80

saved_log_probs = []
saved_entropies = []
saved_rewards = []
best_run = {"score": -99.0, "path": None}
running = torch.tensor(0.0)

policy = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), nn.Linear(32, 5))
opt = torch.optim.Adam(policy.parameters(), lr=5e-3)

moves = {
    0: lambda r, c: (r, c + 1),
    1: lambda r, c: (r + 1, c),
    2: lambda r, c: (r, c - 1),
    3: lambda r, c: (r - 1, c),
    4: lambda r, c: (r, c),
}


def sense(worm, sugar):
    r, c = worm
    sr, sc = sugar
    return torch.tensor([r, c, sr, sc, sr - r, sc - c], dtype=torch.float32) / SIDE


def act(obs):
    dist = Categorical(logits=policy(obs))
    a = dist.sample()
    saved_log_probs.append(dist.log_prob(a))
    saved_entropies.append(dist.entropy())
    return a.item()


def crawl(worm, a):
    r, c = moves[a](*worm)
    return min(SIDE - 1, max(0, r)), min(SIDE - 1, max(0, c))


def play(limit=25):
    worm = (random.randrange(SIDE), random.randrange(SIDE))
    sugar = (random.randrange(SIDE), random.randrange(SIDE))
    path = [worm]
    for _ in range(limit):
        a = act(sense(worm, sugar))
        before = abs(worm[0] - sugar[0]) + abs(worm[1] - sugar[1])
        worm = crawl(worm, a)
        after = abs(worm[0] - sugar[0]) + abs(worm[1] - sugar[1])
        path.append(worm)
        if after == 0:
            saved_rewards.append(2.0)
            break
        saved_rewards.append(0.2 * (before - after) - 0.05)
    return path


def learn():
    global running
    g = 0.0
    gains = []
    for r in saved_rewards[::-1]:
        g = r + GAMMA * g
        gains.insert(0, g)
    gains = torch.tensor(gains)
    edge = gains - running
    loss = -(torch.stack(saved_log_probs) * edge).sum() - 0.01 * torch.stack(saved_entropies).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    running = 0.9 * running + 0.1 * gains.mean()
    return loss.item()


for ep in range(EPISODES):
    path = play()
    score = sum(saved_rewards)
    loss = learn()
    if score > best_run["score"]:
        best_run["score"] = score
        best_run["path"] = path
    del saved_log_probs[:]
    del saved_entropies[:]
    del saved_rewards[:]
    if ep % 16 == 0:
        print("ep", ep, "score %.2f" % score, "loss %.2f" % loss, "running %.2f" % running.item())

print("best", round(best_run["score"], 2), best_run["path"])
