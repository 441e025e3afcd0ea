import math

import torch
from torch.nn.functional import cross_entropy


class Routine:
    def __init__(self, net, reach):
        self.net = net
        self.reach = reach
        self.opt = torch.optim.Adam(net.parameters(), lr=5e-3)
        self.pending = 0.0
        self.bits = []

    def feed(self, symbols, following):
        self.pending = self.pending + cross_entropy(self.net(symbols), following)
        if self.net.age == self.reach:
            self.update()

    def update(self):
        loss = self.pending / self.reach
        self.opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.net.settle()
        self.pending *= 0
        self.pending = self.pending.detach()
        self.bits.append(loss.item() / math.log(2))
