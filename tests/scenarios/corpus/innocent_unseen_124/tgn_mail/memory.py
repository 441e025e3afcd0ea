import torch
from torch import nn


class NodeMemory(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.msg = nn.Linear(2 * d + 4, d)
        self.cell = nn.GRUCell(d, d)
        self.n, self.d = n, d
        self.init = nn.Parameter(0.1 * torch.randn(d))
        self.clear()

    def clear(self):
        self.state = torch.zeros(self.n, self.d)
        self.waiting = None

    def wait(self, src, dst, topic):
        self.waiting = (src, dst, topic)

    def absorb_waiting(self):
        if self.waiting is None:
            return
        src, dst, topic = self.waiting
        now = self.state + self.init
        m = torch.tanh(self.msg(torch.cat([now[src], now[dst], topic], 1)))
        fresh = self.cell(m, self.state[dst])
        self.state = self.state.index_copy(0, dst, fresh)

    def cut(self):
        self.state = self.state.detach()
