import torch
from torch.nn import functional as F

from .encoders import Projector, momentum_twin
from .queue import KeyQueue


class ContrastiveLearner:
    def __init__(self, o):
        self.o = o
        self.net = Projector(o.n_pix, o.dim)
        self.key_net = momentum_twin(self.net)
        self.queue = KeyQueue(o.slots, o.dim)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=o.lr, momentum=0.9)
        self.callbacks = []

    def use(self, cb):
        self.callbacks.append(cb)

    def __call__(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def compute(self, a, b):
        q = self.net(a)
        with torch.no_grad():
            self.k = self.key_net(b)
        pos = (q * self.k).sum(-1, keepdim=True)
        logits = torch.cat([pos, self.queue.negatives(q)], 1) / self.o.temp
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))

    def fit(self, views, iters):
        for self.it, (a, b) in zip(range(iters), views):
            self("start_batch")
            self.loss = self.compute(a, b)
            self("after_loss")  # <- culprit
            self.opt.zero_grad()
            self.loss.backward()
            self.opt.step()
            self("after_update")
