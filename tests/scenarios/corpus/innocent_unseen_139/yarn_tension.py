# gradwatch-corpus: kind=none
"""Online tension model for a spinning frame. Odd bobbins raise an alarm; the last few alarms can be looked at."""
import logging
from collections import deque
from logging import LogRecord

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(64)


class Alarm(Exception):
    pass


class ShortTail(logging.Handler):
    def __init__(self, lines):
        super().__init__()
        self.lines = deque(maxlen=lines)

    def emit(self, record: LogRecord):
        self.lines.append(record)


class AlarmDesk:
    def __init__(self, keep=8):
        self.alarms = deque(maxlen=keep)
        self.raised = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, exc, tb):
        if isinstance(exc, Alarm):
            self.alarms.append(exc)
            self.raised += 1
            return True
        return False


class TensionModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.fast = nn.Linear(4, 1)
        self.slow = nn.Sequential(nn.Linear(4, 10), nn.Tanh(), nn.Linear(10, 1))

    def forward(self, spindle):
        return (self.fast(spindle) + self.slow(spindle)).squeeze(-1)


tail = ShortTail(lines=5)
log = logging.getLogger("yarn")
log.addHandler(tail)
log.setLevel(logging.INFO)
log.propagate = False


class Frame:
    def __init__(self, limit=0.45):
        self.model, self.limit = TensionModel(), limit
        self.opt = torch.optim.SGD(self.model.parameters(), lr=0.02)

    def bobbin(self, spindle, tension):
        guess = self.model(spindle)
        loss = nn.functional.smooth_l1_loss(guess, tension)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        log.info("loss %s", loss)
        worst = (guess - tension).abs().max()
        if worst > self.limit:
            raise Alarm(f"tension off by {worst.item():.2f}")


desk, frame = AlarmDesk(), Frame()
for n in range(1400):
    spindle = torch.randn(6, 4)
    tension = spindle.tanh().sum(1) * 0.3 + 0.2 * torch.randn(6)
    with desk:
        frame.bobbin(spindle, tension)
    if n % 200 == 199:
        print(n + 1, "alarms", desk.raised, "-", desk.alarms[-1], "-", tail.lines[-1].getMessage()[:24])
