# gradwatch-corpus: kind=memory-climb
# holder: recorder.frames | self.frames | recorder.frames["weave"] | loom.recorder.frames
# first-bad: 1
# notice: 60
from collections import defaultdict
from typing import NamedTuple

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(41)


class Frame(NamedTuple):
    tick: int
    map: torch.Tensor


class Dispatcher:
    listeners = defaultdict(list)

    @classmethod
    def listens(cls, topic):
        def deco(fn):
            fn._topic = topic
            return fn
        return deco

    @classmethod
    def attach(cls, obj):
        for name in dir(obj):
            fn = getattr(obj, name)
            if callable(fn) and hasattr(fn, "_topic"):
                cls.listeners[fn._topic].append(fn)
        return obj

    @classmethod
    def publish(cls, topic, *args):
        for fn in cls.listeners[topic]:
            fn(*args)


class FlightRecorder:
    def __init__(self):
        self.tick = 0
        self.frames = defaultdict(list)

    @Dispatcher.listens("activation")
    def on_activation(self, name, out):
        self.frames[name].append(Frame(self.tick, out.detach().cpu().clone()))  # <- culprit

    @Dispatcher.listens("tick")
    def on_tick(self, loss):
        self.tick += 1

    def drift(self, name):
        first, last = self.frames[name][0], self.frames[name][-1]
        return (first.map.mean() - last.map.mean()).item()


class Weave(nn.Module):
    def __init__(self):
        super().__init__()
        self.warp = nn.Conv2d(1, 8, 3, padding=1)
        self.weft = nn.Conv2d(8, 1, 3, padding=1)

    def forward(self, cloth):
        z = torch.relu(self.warp(cloth))
        Dispatcher.publish("activation", "weave", z)
        return self.weft(z)


class Loom:
    def __init__(self):
        self.recorder = Dispatcher.attach(FlightRecorder())
        self.net = Weave()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)

    def tick(self):
        cloth = torch.rand(6, 1, 28, 28)
        holes = (torch.rand_like(cloth) < 0.05).float()
        loss = nn.functional.binary_cross_entropy_with_logits(self.net(cloth * (1 - holes)), holes)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        Dispatcher.publish("tick", loss.item())


loom = Loom()
for _ in range(480):
    loom.tick()
print(loom.recorder.drift("weave"))
