# gradwatch-corpus: kind=none
"""Two models, trained in two threads, which tell each other their latest numbers through queues."""
import queue
import threading

import torch
from torch import nn


class Worker(threading.Thread):
    def __init__(self, name, seed, outbox, steps=120):
        super().__init__(name=name)
        self.g = torch.Generator().manual_seed(seed)
        self.outbox, self.steps = outbox, steps
        self.net = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Linear(16, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.loss = None

    def run(self):
        for i in range(self.steps):
            x = torch.randn(32, 4, generator=self.g)
            self.loss = (self.net(x) - x.norm(dim=1, keepdim=True)).pow(2).mean()
            self.opt.zero_grad()
            self.loss.backward()
            self.opt.step()
            if i % 24 == 0:
                self.outbox.put((self.name, i, self.loss.item()))


torch.manual_seed(27)
box = queue.Queue()
ws = [Worker("left", 1, box), Worker("right", 2, box)]
for w in ws:
    w.start()
for w in ws:
    w.join()
while not box.empty():
    print(*box.get())
print({w.name: round(w.loss.item(), 4) for w in ws})
