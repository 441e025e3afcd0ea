import torch
from torch import nn


class Engine:
    def __init__(self, net, lr, watchers):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.watchers = watchers
        self.last = 0.0

    def run(self, data):
        for step, (x, y) in enumerate(data, 1):
            loss = nn.functional.mse_loss(self.net(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.last = loss.item()
            for w in self.watchers:
                w.see(step, loss.detach(), self.net)
            if step % 50 == 0:
                print(step, *[w.text() for w in self.watchers])
