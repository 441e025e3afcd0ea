# gradwatch-corpus: kind=none
import heapq
import itertools
from collections import OrderedDict

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(90)

PORTS = ("aalesund", "bergen", "cuxhaven", "dover", "esbjerg", "fowey")


class Harbour(OrderedDict):
    """Latest recurrent state of the vessels in view; who is away longest falls out."""

    def __init__(self, room, width):
        super().__init__()
        self.room, self.width = room, width

    def recall(self, vessel):
        past = self.get(vessel)
        return torch.zeros(1, self.width) if past is None else past.detach()

    def berth(self, vessel, state):
        self[vessel] = state
        self.move_to_end(vessel)
        while len(self) > self.room:
            self.popitem(last=False)


class Course(nn.Module):
    def __init__(self, width=9):
        super().__init__()
        self.rnn = nn.RNNCell(3, width)
        self.turn = nn.Linear(width, 1)

    def forward(self, fix, state):
        state = self.rnn(fix, state)
        return torch.tanh(self.turn(state)), state


def traffic():
    clock = [(torch.rand(()).item(), p, 0) for p in PORTS]
    heapq.heapify(clock)
    while True:
        t, port, n = heapq.heappop(clock)
        swell = torch.tensor([[torch.tensor(0.3 * t).sin(), torch.tensor(0.3 * t).cos(), n % 2]])
        vessel = f"{port}-{n // 25}"
        yield vessel, swell, (0.3 * t + 0.2 * PORTS.index(port))
        heapq.heappush(clock, (t + 0.5 + torch.rand(()).item(), port, n + 1))


course, harbour = Course(), Harbour(room=8, width=9)
opt = torch.optim.Adam(course.parameters(), lr=4e-3)
misses = []
for vessel, fix, heading in itertools.islice(traffic(), 1500):
    turn, state = course(fix, harbour.recall(vessel))
    harbour.berth(vessel, state)
    loss = (turn - torch.tensor(heading).sin()).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    misses.append(loss.item())
print(list(harbour), sum(misses[-100:]) / 100)
