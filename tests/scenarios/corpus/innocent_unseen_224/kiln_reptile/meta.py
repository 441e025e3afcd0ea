import torch
from torch import nn
from torch.func import functional_call


class Meter:
    def __init__(self, decay):
        self.decay = decay
        self.value = None

    def update(self, x):
        if self.value is None:
            self.value = x
        else:
            self.value = self.decay * self.value + (1 - self.decay) * x


class CurveNet(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a = nn.Linear(1, width)
        self.b = nn.Linear(width, width)
        self.c = nn.Linear(width, 1)

    def forward(self, t):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(t)))))


class MetaTrainer:
    def __init__(self, net, inner, factory, tasks):
        self.net = net
        self.inner = inner
        self.factory = factory
        self.tasks = tasks
        self.criterion = nn.MSELoss()
        self.opt = torch.optim.Adam(net.parameters(), lr=3e-3)
        self.meter = Meter(0.9)
        self.last_fast = None

    def round(self):
        outer = []
        for _ in range(self.tasks):
            kiln = self.factory.build()
            fast = self.inner.adapt(self.net, kiln, self.criterion)
            x, y = kiln.readings(20)
            outer.append(self.criterion(functional_call(self.net, fast, (x,)), y))
        loss = sum(outer) / len(outer)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.last_fast = {k: v.detach() for k, v in fast.items()}
        self.meter.update(loss.item())
