# gradwatch-corpus: kind=graph-chain
# holder: arm.angles | self.angles
# first-bad: 1
"""Two-and-a-bit link arm that learns a rhythm of motor pushes so its pen follows a figure eight."""
import math

import torch

torch.manual_seed(4)

N_JOINTS = 3
PHASES = 24
DT = 0.08
TICKS = 150


class ScribbleArm:
    def __init__(self, lengths):
        self.lengths = torch.tensor(lengths)
        self.motor = torch.zeros(PHASES, N_JOINTS, requires_grad=True)
        self.base_push = torch.zeros(N_JOINTS, requires_grad=True)
        self.angles = torch.tensor([0.4, -0.3, 0.2])
        self.tick = 0
        self.pen_trace = []
        self.max_trace = 400

    def params(self):
        return [self.motor, self.base_push]

    def push(self):
        phase = self.tick % PHASES
        drive = self.motor[phase] + self.base_push
        self.angles = self.angles.add(drive, alpha=DT)  # <- culprit
        self.tick += 1

    def pen(self):
        world = torch.cumsum(self.angles, dim=0)
        x = (self.lengths * torch.cos(world)).sum()
        y = (self.lengths * torch.sin(world)).sum()
        return torch.stack([x, y])

    def remember_pen(self, p):
        self.pen_trace.append((p[0].item(), p[1].item()))
        if len(self.pen_trace) > self.max_trace:
            self.pen_trace.pop(0)


def figure_eight(tick):
    a = 2 * math.pi * tick / PHASES
    return torch.tensor([1.2 + 0.4 * math.sin(a), 0.5 * math.sin(2 * a)])


def effort(arm):
    return (arm.motor ** 2).mean() + (arm.base_push ** 2).mean()


arm = ScribbleArm([0.9, 0.7, 0.3])
optim = torch.optim.Adam(arm.params(), lr=0.05)

best = float("inf")
smooth = None
for step in range(TICKS):
    arm.push()
    pen = arm.pen()
    goal = figure_eight(step)
    miss = ((pen - goal) ** 2).sum()
    cost = miss + 0.01 * effort(arm)

    optim.zero_grad()
    cost.backward()
    torch.nn.utils.clip_grad_norm_(arm.params(), 1.0)
    optim.step()

    arm.remember_pen(pen)
    value = miss.item()
    smooth = value if smooth is None else 0.95 * smooth + 0.05 * value
    best = min(best, value)
    if step % 30 == 0:
        px, py = arm.pen_trace[-1]
        print(f"tick {step:4d}  miss {value:.4f}  smooth {smooth:.4f}  pen ({px:+.2f}, {py:+.2f})")

print("closest the pen ever got:", round(best, 4))
