# gradwatch-corpus: kind=memory-climb
# holder: self.frames | recorder.frames | env.recorder.frames
# first-bad: 1
"""DQN plays Catcher (a paddle and falling fruit). The little game, the clip recorder and the agent are all in here so
that I can post it as one file."""
import random
from collections import deque

import torch
import torch.nn as nn

random.seed(12)
torch.manual_seed(12)
torch.set_num_threads(1)

W, H = 12, 14
PX = 8
STEPS_PER_UPDATE = 3


class ClipRecorder:
    """Used to write a gif per episode; now only says how bright and how long the last clip was."""

    def __init__(self):
        self.frames = []
        self.clip_start = 0
        self.lengths = []

    def begin(self):
        self.clip_start = len(self.frames)

    def add(self, frame):
        self.frames.append(frame)  # <- culprit

    def finish(self):
        clip = self.frames[self.clip_start:]
        if not clip:
            return 0.0
        self.lengths.append(len(clip))
        # imageio.mimsave(f"clip_{len(self.lengths):04d}.gif", clip)
        return clip[-1].mean().item()  # <- culprit


class Catcher:
    def __init__(self):
        self.recorder = ClipRecorder()
        self.reset()

    def reset(self):
        self.paddle = W // 2
        self.fruit = [random.randrange(W), 0]
        self.brightness = self.recorder.finish()
        self.recorder.begin()
        return self.state()

    def state(self):
        return (self.paddle / W, self.fruit[0] / W, self.fruit[1] / H, (self.fruit[0] - self.paddle) / W)

    def render(self):
        img = torch.zeros(3, H * PX, W * PX)
        x, y = self.fruit
        img[0, y * PX:(y + 1) * PX, x * PX:(x + 1) * PX] = 1.0
        img[1, -PX:, max(0, self.paddle - 1) * PX:(self.paddle + 2) * PX] = 1.0
        return img

    def step(self, action):
        self.paddle = min(W - 1, max(0, self.paddle + action - 1))
        self.fruit[1] += 1
        self.recorder.add(self.render())
        done = self.fruit[1] >= H - 1
        reward = 0.0
        if done:
            reward = 1.0 if abs(self.paddle - self.fruit[0]) <= 1 else -1.0
        return self.state(), reward, done


class DQNAgent:
    def __init__(self):
        self.q = self.build()
        self.target = self.build()
        self.sync()
        self.opt = torch.optim.Adam(self.q.parameters(), lr=2e-3)
        self.memory = deque(maxlen=1000)
        self.eps = 1.0

    def build(self):
        return nn.Sequential(nn.Linear(4, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 3))

    def sync(self):
        self.target.load_state_dict(self.q.state_dict())

    def act(self, s):
        if random.random() < self.eps:
            return random.randrange(3)
        with torch.no_grad():
            return self.q(torch.tensor(s)).argmax().item()

    def remember(self, *transition):
        self.memory.append(transition)

    def replay(self, batch=32):
        pick = random.choices(self.memory, k=batch)
        s, a, r, s2, d = (torch.tensor(c) for c in zip(*pick))
        q = self.q(s).gather(1, a[:, None]).squeeze(1)
        with torch.no_grad():
            goal = r + 0.97 * self.target(s2).max(1).values * (1 - d)
        loss = nn.functional.smooth_l1_loss(q, goal)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.eps = max(0.05, self.eps * 0.99)
        return loss.item()


env = Catcher()
agent = DQNAgent()
wins = deque(maxlen=30)
s = env.reset()
for update in range(400):
    for _ in range(STEPS_PER_UPDATE):
        a = agent.act(s)
        s2, r, done = env.step(a)
        agent.remember(s, a, r, s2, float(done))
        if done:
            wins.append(r > 0)
            s = env.reset()
        else:
            s = s2
    loss = agent.replay()
    if update % 40 == 0:
        agent.sync()
    if update % 80 == 79:
        print(f"update {update + 1} loss {loss:.4f} eps {agent.eps:.2f} caught {sum(wins)}/{len(wins)}")
