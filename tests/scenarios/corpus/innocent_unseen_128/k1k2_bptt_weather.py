# gradwatch-corpus: kind=none
"""Truncated BPTT with k1=1, k2=5: every tick walks back through a window of five states."""
import collections
import math
import torch
torch.set_num_threads(1)
import torch.nn as nn

torch.manual_seed(9)


class TickModel(nn.Module):
    def __init__(self, n=10):
        super().__init__()
        self.f = nn.RNNCell(3, n)
        self.g = nn.Linear(n, 1)


class WindowedBPTT:
    def __init__(self, model, k2):
        self.m, self.k2 = model, k2
        self.opt = torch.optim.SGD(model.parameters(), 0.02)
        self.states = collections.deque(maxlen=k2)
        self.h = torch.zeros(1, 10)

    def tick(self, x, y):
        before = self.h.detach().requires_grad_()
        after = self.m.f(x, before)
        self.states.append((before, after))
        self.h = after
        loss = (self.m.g(after) - y).square().mean()
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        # hand the gradient over to earlier cells by hand
        chain = list(self.states)
        for (b_next, _), (_, a_prev) in zip(reversed(chain), reversed(chain[:-1])):
            if b_next.grad is None:
                break
            a_prev.backward(b_next.grad, retain_graph=True)
        for b, _ in chain:
            b.grad = None
        grads = [None if p.grad is None else p.grad.clone() for p in self.m.parameters()]
        return loss.item(), grads

    def apply(self, grads):
        for p, g in zip(self.m.parameters(), grads):
            p.data = p.data - 0.02 * g if g is not None else p.data


learner = WindowedBPTT(TickModel(), 5)
ema = None
for t in range(900):
    x = torch.tensor([[math.sin(t / 7), math.cos(t / 7), math.sin(t / 31)]])
    y = torch.tensor([[math.sin((t - 3) / 7)]])
    loss, grads = learner.tick(x, y)
    learner.apply(grads)
    ema = loss if ema is None else 0.99 * ema + 0.01 * loss
    if t % 200 == 0:
        print(t, ema)
