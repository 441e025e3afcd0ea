# gradwatch-corpus: kind=none
import copy
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
random.seed(10)
torch.manual_seed(10)

Step = namedtuple("Step", ["state", "action", "value", "reward", "next_state", "done"])

SIDE = 48
CAPACITY = 1900
BATCH = 16
TOTAL = 260
PER_STEP = 12


class Maze:
    def __init__(self):
        self.reset()

    def reset(self):
        self.r, self.c, self.t = random.randrange(SIDE), random.randrange(SIDE), 0
        return self.image()

    def image(self):
        im = torch.zeros(2, SIDE, SIDE)
        im[0, self.r, self.c] = 1
        im[1, SIDE // 2, SIDE // 2] = 1
        return im

    def step(self, a):
        before = abs(self.r - SIDE // 2) + abs(self.c - SIDE // 2)
        dr, dc = [(0, 1), (0, -1), (1, 0), (-1, 0)][a]
        self.r = min(max(self.r + dr, 0), SIDE - 1)
        self.c = min(max(self.c + dc, 0), SIDE - 1)
        self.t += 1
        after = abs(self.r - SIDE // 2) + abs(self.c - SIDE // 2)
        return self.image(), float(before - after), after == 0 or self.t > 40


net = nn.Sequential(nn.Conv2d(2, 6, 4, stride=4), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 144, 32), nn.ReLU(),
                    nn.Linear(32, 4))
target_net = copy.deepcopy(net)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
memory = deque(maxlen=CAPACITY)
recent = deque(maxlen=100)
env = Maze()
state = env.reset()


def choose(state, eps):
    with torch.no_grad():
        q = net(state.unsqueeze(0))[0]
    a = random.randrange(4) if random.random() < eps else q.argmax().item()
    return a, q[a]


for step in range(TOTAL):
    for _ in range(PER_STEP):
        action, value = choose(state, max(0.05, 1 - step / 150))
        nxt, reward, done = env.step(action)
        memory.append(Step(state, action, value, reward, nxt, done))
        recent.append(reward)
        state = env.reset() if done else nxt

    batch = Step(*zip(*random.sample(memory, min(BATCH, len(memory)))))
    s, s2 = torch.stack(batch.state), torch.stack(batch.next_state)
    a = torch.tensor(batch.action)
    r = torch.tensor(batch.reward)
    live = 1 - torch.tensor(batch.done, dtype=torch.float32)
    with torch.no_grad():
        best = net(s2).argmax(1, keepdim=True)
        y = r + 0.9 * live * target_net(s2).gather(1, best).squeeze(1)
    q = net(s).gather(1, a[:, None]).squeeze(1)
    loss = F.smooth_l1_loss(q, y)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_value_(net.parameters(), 1.0)
    optimizer.step()

    # polyak
    with torch.no_grad():
        for tp, p in zip(target_net.parameters(), net.parameters()):
            tp.mul_(0.98).add_(p, alpha=0.02)
    if step % 40 == 0:
        optimism = torch.stack([m.value for m in memory]).mean().item()
        print(f"step {step} memory {len(memory)} loss {loss.item():.4f} "
              f"reward {sum(recent) / len(recent):+.3f} q {optimism:+.3f}")
