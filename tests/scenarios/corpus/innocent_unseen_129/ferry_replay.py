# gradwatch-corpus: kind=none
from collections import deque
import random
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(91)
random.seed(91)


class Crossing(NamedTuple):
    chart: torch.Tensor
    course: int
    gain: float
    after: torch.Tensor


class Hold:
    def __init__(self, capacity):
        self.cells = deque(maxlen=capacity)

    def store(self, c):
        self.cells.append(c)

    def draw(self, k):
        rows = random.sample(self.cells, k)
        return (torch.stack([r.chart for r in rows]), torch.tensor([r.course for r in rows]),
                torch.tensor([r.gain for r in rows]), torch.stack([r.after for r in rows]))


class Estuary:
    """64 x 64 charts, so each crossing weighs some 16 kB."""

    def __init__(self):
        self.chart = torch.rand(64, 64)

    def sail(self, course):
        before = self.chart
        self.chart = torch.roll(before, 1 if course else -1, dims=course) * 0.99 + 0.01 * torch.rand(64, 64)
        return Crossing(before, course, before[32, 32].item() - 0.5, self.chart)


class Pilot(nn.Module):
    def __init__(self):
        super().__init__()
        self.see = nn.Conv2d(1, 3, 8, stride=8)
        self.rate = nn.Linear(3 * 64, 2)

    def forward(self, charts):
        return self.rate(torch.relu(self.see(charts.unsqueeze(1))).flatten(1))


class Captain:
    def __init__(self):
        self.pilot, self.target = Pilot(), Pilot()
        self.target.load_state_dict(self.pilot.state_dict())
        self.target.requires_grad_(False)
        self.opt = torch.optim.Adam(self.pilot.parameters(), lr=1e-3)
        self.hold, self.sea = Hold(400), Estuary()
        self.curve = []

    def watch(self, n):
        with torch.no_grad():
            course = int(self.pilot(self.sea.chart[None]).argmax()) if random.random() > 0.2 else random.randrange(2)
        self.hold.store(self.sea.sail(course))
        if len(self.hold.cells) < 16:
            return
        chart, course, gain, after = self.hold.draw(8)
        aim = gain + 0.9 * self.target(after).max(1).values
        loss = nn.functional.smooth_l1_loss(self.pilot(chart).gather(1, course[:, None]).squeeze(1), aim)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.curve.append(loss.detach())
        if n % 20 == 0:
            for t, p in zip(self.target.parameters(), self.pilot.parameters()):
                t.data.lerp_(p.data, 0.5)


captain = Captain()
for n in range(1100):
    captain.watch(n)
print(torch.stack(captain.curve[-100:]).mean().item(), len(captain.hold.cells))
