# gradwatch-corpus: kind=graph-chain
# holder: self.state.offset | servo.state.offset | state.offset | offset | Servo.state
# first-bad: 61
# notice: 5
import enum
from dataclasses import dataclass, replace

import torch
from torch import nn

torch.set_num_threads(1)


class Mode(enum.Enum):
    ACQUIRE = "acquire"
    LOCKED = "locked"


@dataclass(frozen=True)
class ServoState:
    offset: torch.Tensor
    tick: int = 0
    mode: Mode = Mode.ACQUIRE


def agree(offset):
    ring = torch.stack([offset, offset.roll(1), offset.roll(-1)]).mean(0)
    return ring - ring.mean()


class Oscillators(nn.Module):
    """Free-running nodes; each one owns a learned frequency error and a delay."""

    def __init__(self, nodes):
        super().__init__()
        self.skew = nn.Parameter(torch.zeros(nodes))
        self.delay = nn.Parameter(torch.zeros(nodes))

    def predict(self, offset):
        return agree(offset) + self.skew

    def observe(self, offset):
        return offset + self.delay


class Servo:
    def __init__(self, osc, lock_after):
        self.osc, self.lock_after = osc, lock_after
        self.rest = torch.zeros(osc.skew.shape)
        self.state = ServoState(self.rest)

    def residual(self, stamp):
        prior = self.state.offset if self.state.mode is Mode.LOCKED else self.rest
        offset = self.osc.predict(prior)
        miss = stamp - self.osc.observe(offset)
        self.state = self.advance(offset)
        return miss

    def advance(self, offset):
        tick = self.state.tick + 1
        mode = Mode.LOCKED if tick > self.lock_after else Mode.ACQUIRE
        return replace(self.state, offset=offset, tick=tick, mode=mode)  # <- culprit


def stamps(nodes, n):
    skew, delay = 0.3 * torch.randn(nodes), 0.2 * torch.randn(nodes)
    true = torch.zeros(nodes)
    for _ in range(n):
        true = agree(true) + skew
        yield true + delay + 0.02 * torch.randn(nodes)


def main():
    torch.manual_seed(3)
    osc = Oscillators(5)
    servo = Servo(osc, lock_after=60)
    opt = torch.optim.Adam(osc.parameters(), lr=3e-3)
    for stamp in stamps(5, 460):
        cost = servo.residual(stamp).square().sum()
        opt.zero_grad()
        cost.backward()
        opt.step()
        if servo.state.tick % 100 == 0:
            print(servo.state.tick, servo.state.mode.value, round(cost.item(), 5))


main()
