# gradwatch-corpus: kind=second-backward
# holder: best | anchor | anchor[0] | state | anchor.hidden
# first-bad: 50
# notice: 0
import enum
import torch
from torch import nn

torch.set_num_threads(1)


class Cue(enum.Enum):
    GO = 0
    LOST = 1


class Pilot(nn.Module):
    def __init__(self, sensors=6, width=12):
        super().__init__()
        self.fuse = nn.GRUCell(sensors, width)
        self.pose = nn.Linear(width, 2)
        self.width = width


def primed(fn):
    def start(*a, **k):
        co = fn(*a, **k)
        next(co)
        return co
    return start


@primed
def tracker(net, drones):
    state = torch.zeros(drones, net.width)
    anchor = state
    pose = None
    while True:
        cue, reading = yield pose
        if cue is Cue.LOST:
            state = anchor  # <- culprit
        state = net.fuse(reading, state)
        pose = net.pose(state)
        if cue is Cue.GO and reading.abs().max() < 4.0:
            anchor = state  # <- culprit
        state = state.detach()


def flight(drones, n):
    true = torch.zeros(drones, 2)
    mix = torch.randn(2, 6)
    for k in range(1, n + 1):
        true = 0.95 * true + 0.2 * torch.randn(drones, 2)
        cue = Cue.LOST if k % 51 == 0 else Cue.GO
        yield cue, true @ mix + 0.1 * torch.randn(drones, 6), true


def main():
    torch.manual_seed(12)
    net = Pilot()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    filt = tracker(net, drones=5)
    for cue, reading, true in flight(5, 450):
        pose = filt.send((cue, reading))
        error = (pose - true).square().sum(-1).mean()
        opt.zero_grad()
        error.backward()
        opt.step()
    print(error.item())


main()
