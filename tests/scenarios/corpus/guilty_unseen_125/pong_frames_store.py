# gradwatch-corpus: kind=memory-climb
# holder: self.frames | store.frames | replay.frames
# first-bad: 1
# notice: 60
"""DQN-flavoured learner on a bouncing-dot screen, with a store of raw frames."""
import random
import torch
from torch import nn

torch.set_num_threads(1)


class FrameStore:
    def __init__(self, capacity, seed=0):
        self.capacity = capacity
        self.frames = []
        self.meta = []
        self.rng = random.Random(seed)

    def add(self, stack, label):
        self.frames.append(stack)  # <- culprit
        self.meta.append(label)
        if len(self.meta) > self.capacity:
            self.meta.pop(0)

    def sample(self, n):
        k = len(self.meta)
        idx = [self.rng.randrange(1, k + 1) for _ in range(n)]
        return torch.stack([self.frames[-i] for i in idx]), torch.tensor([self.meta[-i] for i in idx])


class Screen:
    def __init__(self, size=100):
        self.size, self.x, self.vx = size, 10, 3

    def frame(self):
        img = torch.zeros(4, self.size, self.size)
        for c in range(4):
            self.x += self.vx
            if not 3 < self.x < self.size - 4:
                self.vx = -self.vx
                self.x += self.vx
            img[c, 40:46, self.x - 2: self.x + 2] = 1.0
        return img, int(self.vx > 0)


torch.manual_seed(23)
net = nn.Sequential(nn.AvgPool2d(5), nn.Flatten(), nn.Linear(4 * 400, 12), nn.ReLU(), nn.Linear(12, 2))
opt = torch.optim.SGD(net.parameters(), lr=0.05)
store, screen = FrameStore(64), Screen()
for t in range(420):
    store.add(*screen.frame())
    x, y = store.sample(8)
    loss = nn.functional.cross_entropy(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if t % 105 == 104:
        print(t, round(loss.item(), 4))
