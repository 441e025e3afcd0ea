"""Textbook Adam, kept around so that the update can be changed by hand."""
import torch


class PlainAdam:
    def __init__(self, params, lr, b1=0.9, b2=0.99, eps=1e-8):
        self.params = list(params)
        self.lr, self.b1, self.b2, self.eps = lr, b1, b2, eps
        self.m = [torch.zeros_like(p.data) for p in self.params]
        self.v = [torch.zeros_like(p.data) for p in self.params]
        self.n = 0

    def clear(self):
        for p in self.params:
            p.grad = None

    def update(self):
        self.n += 1
        for p, m, v in zip(self.params, self.m, self.v):
            g = p.grad.data
            m.mul_(self.b1).add_(g, alpha=1 - self.b1)
            v.mul_(self.b2).addcmul_(g, g, value=1 - self.b2)
            mhat = m / (1 - self.b1 ** self.n)
            vhat = v / (1 - self.b2 ** self.n)
            p.data -= self.lr * mhat / (vhat.sqrt() + self.eps)
