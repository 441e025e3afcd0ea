import torch
from torch import nn


class Runner:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()
        self.seen = 0

    def fit(self, stream, steps, continuous):
        for _ in range(steps):
            frames, y = stream.next()
            if not continuous:
                self.net.reset()
            self.step(frames, y)

    def step(self, frames, y):
        loss = self.criterion(self.net(frames), y)
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        self.seen += 1
        if self.seen % 50 == 0:
            print(f"[{self.seen}] loss {loss.item():.4f}")

    @torch.no_grad()
    def accuracy(self, stream, batches=10):
        keep = self.net.hidden.mem
        hits = 0.0
        for _ in range(batches):
            self.net.reset()
            frames, y = stream.next()
            hits += (self.net(frames).argmax(1) == y).float().mean().item()
        self.net.hidden.mem = keep
        return hits / batches
