# gradwatch-corpus: kind=second-backward
# holder: brain["baseline"] | brain
# first-bad: 1
# snake on a 6x6 torus, learns with policy gradient
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(99)
random.seed(99)

SIDE = 6
EPISODES = 80
MAX_STEPS = 30
GAMMA = 0.92
DIRS = [(0, 1), (1, 0), (0, -1), (-1, 0)]

brain = {
    "policy": nn.Sequential(nn.Linear(8, 32), nn.Tanh(), nn.Linear(32, 4)),
    "critic": nn.Sequential(nn.Linear(8, 24), nn.Tanh(), nn.Linear(24, 1)),
    "baseline": torch.tensor(0.0),
}
weights = list(brain["policy"].parameters()) + list(brain["critic"].parameters())
opt = torch.optim.Adam(weights, lr=4e-3)
scores = []


class Snake:
    def __init__(self):
        self.body = deque([(3, 3), (3, 2)])
        self.food = None
        self.dead = False
        self.eaten = 0
        self.drop_food()

    def drop_food(self):
        spots = [(r, c) for r in range(SIDE) for c in range(SIDE) if (r, c) not in self.body]
        self.food = random.choice(spots)

    def look(self):
        r, c = self.body[0]
        fr, fc = self.food
        sight = [(fr - r) / SIDE, (fc - c) / SIDE]
        for dr, dc in DIRS:
            nxt = ((r + dr) % SIDE, (c + dc) % SIDE)
            sight.append(1.0 if nxt in self.body else 0.0)
        sight.append(len(self.body) / 10)
        sight.append(1.0)
        return torch.tensor(sight)

    def slither(self, action):
        dr, dc = DIRS[action]
        r, c = self.body[0]
        head = ((r + dr) % SIDE, (c + dc) % SIDE)
        if head in self.body:
            self.dead = True
            return -1.0
        self.body.appendleft(head)
        if head == self.food:
            self.eaten += 1
            self.drop_food()
            return 1.0
        self.body.pop()
        return -0.02


def returns(rewards):
    out = []
    g = 0.0
    for r in reversed(rewards):
        g = r + GAMMA * g
        out.append(g)
    return torch.tensor(out[::-1])


for episode in range(EPISODES):
    snake = Snake()
    views, actions, rewards = [], [], []
    while not snake.dead and len(rewards) < MAX_STEPS:
        view = snake.look()
        with torch.no_grad():
            probs = F.softmax(brain["policy"](view), dim=0)
        action = int(torch.multinomial(probs, 1))
        views.append(view)
        actions.append(action)
        rewards.append(snake.slither(action))

    views = torch.stack(views)
    actions = torch.tensor(actions)
    gains = returns(rewards)

    values = brain["critic"](views).squeeze(1)
    logp = F.log_softmax(brain["policy"](views), dim=1)[torch.arange(len(actions)), actions]
    surprise = gains - 0.5 * (values + brain["baseline"])  # <- culprit
    policy_loss = -(logp * surprise.detach()).mean()
    critic_loss = surprise.pow(2).mean()

    opt.zero_grad()
    (policy_loss + 0.5 * critic_loss).backward()
    opt.step()

    brain["baseline"] = 0.8 * brain["baseline"] + 0.2 * values.mean()  # <- culprit
    scores.append(snake.eaten)
    if episode % 10 == 0:
        print("episode", episode, "eaten", snake.eaten, "critic %.3f" % critic_loss.item())

print("apples in all:", sum(scores))
