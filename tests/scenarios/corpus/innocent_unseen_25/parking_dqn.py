# gradwatch-corpus: kind=none
# after: pytorch tutorials "Reinforcement Learning (DQN)" (deque(maxlen)), Kaixhin/Rainbow #33 as fixed (priorities as plain numbers)
"""Parking lot from a 64x64x3 camera; frames in a bounded ring, priorities as numpy."""
import collections
import copy
import random
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

Step = collections.namedtuple("Step", "frame action reward next_frame done")


class Lot:
    def __init__(self, rng):
        self.rng = rng

    def frame(self):
        f = self.rng.integers(0, 60, (64, 64, 3), dtype=np.uint8)
        f[self.y:self.y + 6, self.x:self.x + 6] = 255
        f[30:36, 56:62, 1] = 200
        return f

    def reset(self):
        self.x, self.y = 4, int(self.rng.integers(4, 54))
        return self.frame()

    def step(self, a):
        self.x = min(57, self.x + 6)
        self.y = int(np.clip(self.y + (-6, 0, 6)[a], 0, 57))
        done = self.x >= 56
        return self.frame(), (1.0 - abs(self.y - 30) / 30) if done else 0.0, done


class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.c = nn.Sequential(nn.Conv2d(3, 8, 8, 4), nn.ReLU(), nn.Conv2d(8, 16, 4, 2), nn.ReLU(), nn.Flatten())
        self.o = nn.Linear(16 * 6 * 6, 3)

    def forward(self, frames):
        return self.o(self.c(frames.permute(0, 3, 1, 2).float() / 255))


rng = np.random.default_rng(0)
random.seed(0)
torch.manual_seed(0)
CAP = 150
ring = collections.deque(maxlen=CAP)
prio = collections.deque(maxlen=CAP)
env, online = Lot(rng), Q()
target = copy.deepcopy(online).requires_grad_(False)
opt = torch.optim.RMSprop(online.parameters(), 5e-4)
td_log, returns = [], collections.deque(maxlen=20)
frame = env.reset()
for t in range(360):
    if random.random() < max(0.1, 1 - t / 200):
        a = random.randrange(3)
    else:
        with torch.inference_mode():
            a = int(online(torch.from_numpy(frame)[None]).argmax())
    nxt, r, done = env.step(a)
    ring.append(Step(frame, a, r, nxt, done))
    prio.append(max(prio, default=1.0))
    if done:
        returns.append(r)
    frame = env.reset() if done else nxt
    if len(ring) < 40:
        continue
    p = np.asarray(prio) ** 0.6
    idx = rng.choice(len(ring), 16, p=p / p.sum())
    b = [ring[i] for i in idx]
    s, s2 = (torch.from_numpy(np.stack([getattr(x, k) for x in b])) for k in ("frame", "next_frame"))
    act = torch.tensor([x.action for x in b])
    with torch.no_grad():
        y = torch.tensor([x.reward for x in b]) + 0.95 * target(s2).max(1).values * torch.tensor([not x.done for x in b])
    td = online(s).gather(1, act[:, None])[:, 0] - y
    loss = F.huber_loss(td, torch.zeros_like(td))
    opt.zero_grad()
    loss.backward()
    opt.step()
    for i, v in zip(idx, td.detach().abs().tolist()):
        prio[i] = v + 1e-3
    td_log.append(loss.item())
    if t % 60 == 0:
        target.load_state_dict(online.state_dict())
        print(t, "td", round(np.mean(td_log[-30:]), 4), "return", round(np.mean(returns), 3))
