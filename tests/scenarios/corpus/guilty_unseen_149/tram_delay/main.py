# gradwatch-corpus: kind=graph-held
# holder: self.total | self.meter.total | meter.total | trainer.callbacks[0].meter.total
# first-bad: 1
# notice: 8
"""Delay of tram lines at the next stop: an epoch-less trainer with callbacks."""
import torch
import torch.nn.functional as F
from torch import nn

from callbacks import Progress, StepDecay

torch.set_num_threads(1)
torch.manual_seed(11)


class DelayNet(nn.Module):
    def __init__(self, lines=9, stops=30):
        super().__init__()
        self.line = nn.Embedding(lines, 6)
        self.stop = nn.Embedding(stops, 10)
        self.body = nn.Sequential(nn.Linear(18, 40), nn.Tanh(), nn.Linear(40, 1))

    def forward(self, line, stop, clock):
        return self.body(torch.cat([self.line(line), self.stop(stop), clock], 1)).squeeze(1)


class Rides:
    def __init__(self, n=1600):
        self.line = torch.randint(0, 9, (n,))
        self.stop = torch.randint(0, 30, (n,))
        self.clock = torch.rand(n, 2)
        rush = (self.clock[:, 0] - 0.3).abs() < 0.1
        self.delay = 0.1 * self.line + 0.05 * self.stop + 2.0 * rush + 0.2 * torch.randn(n)

    def draw(self, k=32):
        i = torch.randint(0, len(self.delay), (k,))
        return (self.line[i], self.stop[i], self.clock[i]), self.delay[i]


class Trainer:
    def __init__(self, net, rides, callbacks):
        self.net, self.rides, self.callbacks = net, rides, callbacks
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

    def emit(self, event, **kw):
        for cb in self.callbacks:
            getattr(cb, event)(self, **kw)

    def run(self, steps):
        for step in range(steps):
            inputs, delay = self.rides.draw()
            self.opt.zero_grad()
            guess = self.net(*inputs)
            loss = F.huber_loss(guess, delay)
            loss.backward()
            self.opt.step()
            self.emit("after_step", step=step, loss=loss, count=len(delay))  # <- culprit
        self.emit("finish")


trainer = Trainer(DelayNet(), Rides(), [Progress(every=25), StepDecay(at=60)])
trainer.run(120)
