from collections import deque
from dataclasses import dataclass

import torch


@dataclass
class InFlight:
    tag: int
    entry: torch.Tensor
    exit: torch.Tensor


class Stage:
    """One stage of the pipe; its backward for a micro-batch runs `lag` ticks after the forward."""

    def __init__(self, net, lr, lag):
        self.net, self.lag = net, lag
        self.opt = torch.optim.SGD(net.parameters(), lr=lr, momentum=.8)
        self.flying = deque()

    def forward(self, tag, x):
        x = x.detach().requires_grad_()
        out = self.net(x, self.net.freeze_version())
        self.flying.append(InFlight(tag, x, out))
        return out.detach()

    def backward(self, tag, cotangent):
        job = self.flying.popleft()
        assert job.tag == tag
        self.opt.zero_grad()
        job.exit.backward(cotangent)
        self.opt.step()
        return job.entry.grad
