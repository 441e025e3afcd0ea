# gradwatch-corpus: kind=none
"""Visual servoing of a planar arm: the controller is trained through the arm's
kinematics, a handful of ticks at a time, while the arm keeps moving."""
import itertools
from collections import deque
from math import pi

import torch

torch.set_num_threads(1)
torch.manual_seed(900)

LINKS = torch.tensor([1.0, 0.8, 0.4])
BURST = 5
ALARM = 12


def tip(q):
    a = q.cumsum(-1)
    return torch.stack([(LINKS * a.cos()).sum(-1), (LINKS * a.sin()).sum(-1)], -1)


def goals():
    for n in itertools.count():
        r, th = 1.0 + torch.rand(()) * 0.9, torch.rand(()) * 2 * pi
        goal = torch.stack([r * th.cos(), r * th.sin()])
        for _ in range(25):
            yield n, goal


class Servo(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.core = torch.nn.Sequential(
            torch.nn.Linear(3 * 2 + 2 + 2, 20), torch.nn.Tanh(), torch.nn.Linear(20, 3), torch.nn.Tanh()
        )

    def forward(self, q, goal):
        pose = tip(q)
        return 0.3 * self.core(torch.cat([q.sin(), q.cos(), pose, goal - pose]))


class Watchdog:
    """Looks at the last misses; too many large ones and the arm is sent home."""

    def __init__(self, n=ALARM, limit=1.9):
        self.recent = deque(maxlen=n)
        self.limit = limit
        self.homings = 0

    def see(self, miss):
        self.recent.append(miss)

    def tripped(self):
        if len(self.recent) < self.recent.maxlen:
            return False
        bad = torch.stack(tuple(self.recent)).detach().mean().item() > self.limit
        if bad:
            self.homings += 1
            self.recent.clear()
        return bad


servo = Servo()
opt = torch.optim.SGD(servo.parameters(), lr=0.05, momentum=0.8)
dog = Watchdog()
q = torch.tensor([0.3, 0.4, 0.2])
burst_cost = torch.zeros(())
avg = 1.0

for tick, (n, goal) in enumerate(goals(), start=1):
    dq = servo(q, goal)
    q = q + dq
    miss = (tip(q) - goal).norm()
    dog.see(miss)
    burst_cost = burst_cost + miss + 0.05 * dq.square().sum()
    if tick % BURST == 0:
        opt.zero_grad()
        (burst_cost / BURST).backward()
        torch.nn.utils.clip_grad_norm_(servo.parameters(), 1.0)
        opt.step()
        q = torch.remainder(q.detach() + pi, 2 * pi) - pi
        burst_cost = torch.zeros(())
        if dog.tripped():
            q = torch.tensor([0.3, 0.4, 0.2])
    avg += 0.01 * (miss.item() - avg)
    if tick % 1000 == 0:
        print(f"tick {tick}: goal {n}, mean miss {avg:.3f}, sent home {dog.homings}x")
    if tick == 4000:
        break
