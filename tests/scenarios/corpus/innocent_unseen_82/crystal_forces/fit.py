import heapq
import itertools
from collections import deque

import torch


class HardCases:
    """Max-heap of the structures with the largest force error seen so far."""

    def __init__(self, keep=128):
        self.keep, self.heap, self.tick = keep, [], itertools.count()

    def offer(self, x, err):
        for xi, e in zip(x, err.tolist()):
            heapq.heappush(self.heap, (e, next(self.tick), xi))
            if len(self.heap) > self.keep:
                heapq.heappop(self.heap)

    def take(self, n):
        top = heapq.nlargest(n, self.heap)
        return torch.stack([t[2] for t in top])


class ForceFit:
    def __init__(self, net, lattice, lr):
        self.net, self.lattice = net, lattice
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.hard = HardCases()
        self.recent = deque(maxlen=12)
        self.weights = None

    def _predict(self, x):
        e = self.net(x, self.lattice.box)
        f, = torch.autograd.grad(e.sum(), x, create_graph=True)
        return e, -f

    def _balance(self, le, lf, last=0.9):
        """Weights from gradient norms of the two terms."""
        params = list(self.net.net.parameters())
        norms = []
        for part in (le, lf):
            g = torch.autograd.grad(part, params, retain_graph=True, allow_unused=True)
            norms.append(sum(v.norm() for v in g if v is not None) + 1e-8)
        new = norms[0] / torch.stack(norms)
        self.weights = new if self.weights is None else last * self.weights + (1 - last) * new
        return self.weights

    def step(self, it):
        x = self.lattice.structures(8)
        if it > 20 and it % 3 == 0:
            x = torch.cat([x, self.hard.take(4)])
        e_ref, f_ref = self.lattice.reference(x)
        x = x.requires_grad_()
        e, f = self._predict(x)
        err = (f - f_ref).pow(2).mean((1, 2))
        le, lf = (e - e_ref).pow(2).mean(), err.mean()
        if it % 10 == 0:
            self._balance(le, lf)
        loss = (self.weights * torch.stack([le, lf])).sum()
        self.recent.append(loss)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.hard.offer(x.detach()[:8], err[:8])

    def run(self, steps):
        for it in range(steps):
            self.step(it)
            if it % 64 == 63:
                avg = sum(self.recent) / len(self.recent)
                print(f"{it + 1:4d} loss {avg.item():.4f} weights {[round(w, 3) for w in self.weights.tolist()]}")
