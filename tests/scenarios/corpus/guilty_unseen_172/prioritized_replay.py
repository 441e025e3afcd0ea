# gradwatch-corpus: kind=memory-climb
# holder: self.frames | replay.frames | actor.replay.frames
# first-bad: 64
"""DQN on drifting pixel targets with a prioritised replay filled by an actor
thread; transitions refer to frames by number so that overlapping stacks are stored once."""
import queue
import threading
from collections import deque
from typing import NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Transition(NamedTuple):
    frame: int
    action: int
    reward: float
    nxt: int


class Replay:
    def __init__(self, capacity, rng):
        self.capacity, self.rng = capacity, rng
        self.frames = {}
        self.transitions = deque(maxlen=capacity)
        self.priority = deque(maxlen=capacity)
        self.next_id = 0

    def add_frame(self, image):
        number = self.next_id
        self.frames[number] = image  # <- culprit
        self.next_id += 1
        return number

    def add(self, transition):
        self.transitions.append(transition)
        self.priority.append(max(self.priority, default=1.0))

    def sample(self, n):
        p = np.asarray(self.priority)
        idx = self.rng.choice(len(p), n, p=p / p.sum())
        picked = [self.transitions[i] for i in idx]
        stack = lambda ids: torch.from_numpy(np.stack([self.frames[i] for i in ids])).unsqueeze(1)
        return (idx, stack(t.frame for t in picked), torch.tensor([t.action for t in picked]),
                torch.tensor([t.reward for t in picked]), stack(t.nxt for t in picked))

    def update(self, idx, error):
        for i, e in zip(idx, error.tolist()):
            self.priority[i] = abs(e) + 0.01


def chase(seed, size=32):
    rng = np.random.default_rng(seed)
    me, it = np.array([size // 2] * 2), rng.integers(4, size - 4, 2)
    moves = np.array([[0, 2], [0, -2], [2, 0], [-2, 0]])

    def draw():
        img = np.zeros((size, size), np.float32)
        img[me[0] - 2:me[0] + 2, me[1] - 2:me[1] + 2] = 1.0
        img[it[0] - 1:it[0] + 1, it[1] - 1:it[1] + 1] = -1.0
        return img

    while True:
        before, first = draw(), np.abs(me - it).sum()
        a = int(rng.integers(4))
        me = np.clip(me + moves[a], 3, size - 3)
        reward = float(first - np.abs(me - it).sum()) / 2
        it = np.clip(it + rng.integers(-1, 2, 2), 3, size - 3)
        yield before, a, reward, draw()


class Actor(threading.Thread):
    def __init__(self, out, stop, seed):
        super().__init__(daemon=True)
        self.out, self.stop, self.world = out, stop, chase(seed)

    def run(self):
        while not self.stop.is_set():
            item = [next(self.world) for _ in range(4)]
            while not self.stop.is_set():
                try:
                    self.out.put(item, timeout=0.1)
                    break
                except queue.Full:
                    continue


def main(steps=700):
    torch.manual_seed(29)
    net = nn.Sequential(nn.Conv2d(1, 8, 4, 4), nn.ReLU(), nn.Flatten(), nn.Linear(512, 4))
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    replay, inbox, stop = Replay(256, np.random.default_rng(1)), queue.Queue(maxsize=8), threading.Event()
    actor = Actor(inbox, stop, 6)
    actor.start()
    for s in range(steps):
        for before, a, r, after in inbox.get():
            replay.add(Transition(replay.add_frame(before), a, r, replay.add_frame(after)))
        idx, obs, act, rew, nxt = replay.sample(32)
        with torch.no_grad():
            goal = rew.float() + 0.8 * net(nxt).max(1).values
        q = net(obs).gather(1, act[:, None]).squeeze(1)
        loss = F.smooth_l1_loss(q, goal)
        opt.zero_grad()
        loss.backward()
        opt.step()
        replay.update(idx, (q - goal).detach())
        if s % 100 == 0:
            print(f"{s} td {loss.item():.4f} q {q.mean().item():.3f} held {len(replay.transitions)}")
    stop.set()
    actor.join()


if __name__ == "__main__":
    main()
