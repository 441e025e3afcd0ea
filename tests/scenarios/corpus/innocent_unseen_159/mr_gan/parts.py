import copy
import random

import torch


def penalty(critic, real, fake):
    t = torch.rand(len(real), 1, 1)
    mid = (t * real + (1 - t) * fake).requires_grad_()
    (g,) = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return (g.flatten(1).norm(dim=1) - 1).square().mean()


class FakePool:
    def __init__(self, size):
        self.size, self.items, self.rng = size, [], random.Random(3)

    def swap(self, batch):
        out = []
        for x in batch.detach():
            if len(self.items) < self.size:
                self.items.append(x.clone())
                out.append(x)
            elif self.rng.random() < 0.5:
                n = self.rng.randrange(self.size)
                out.append(self.items[n])
                self.items[n] = x.clone()
            else:
                out.append(x)
        return torch.stack(out)


class Averaged:
    def __init__(self, net, beta):
        self.net, self.beta = copy.deepcopy(net), beta

    @torch.no_grad()
    def follow(self, net):
        for a, b in zip(self.net.parameters(), net.parameters()):
            a.copy_(a.lerp(b, 1 - self.beta))

    @torch.no_grad()
    def look(self, n):
        return self.net.sample(n)
