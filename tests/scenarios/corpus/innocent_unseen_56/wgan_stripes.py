# gradwatch-corpus: kind=none
# WGAN with a lazily evaluated gradient penalty and an averaged generator
import copy

import torch
from torch import nn


def stripes(n):
    x = torch.rand(n) * 4 - 2
    y = torch.randint(-1, 2, (n,)).float() + 0.08 * torch.randn(n)
    return torch.stack([x, y], 1)


def mlp(*dims):
    layers = []
    for i, o in zip(dims[:-1], dims[1:]):
        layers += [nn.Linear(i, o), nn.LeakyReLU(0.2)]
    return nn.Sequential(*layers[:-1])


class LazyPenalty:
    def __init__(self, critic, every=4, weight=10.0):
        self.critic, self.every, self.weight = critic, every, weight
        self.calls = 0
        self.value = torch.zeros(())
        self.last = torch.zeros(())

    def evaluate(self, real, fake):
        eps = torch.rand(len(real), 1)
        mix = (eps * real + (1 - eps) * fake).requires_grad_(True)
        grad, = torch.autograd.grad(self.critic(mix).sum(), mix, create_graph=True)
        return self.weight * (grad.norm(2, dim=1) - 1).pow(2).mean()

    def __call__(self, real, fake):
        due = self.calls % self.every == 0
        self.calls += 1
        if due:
            # kept for the log line until the next evaluation
            self.value = self.evaluate(real, fake)
            return self.every * self.value
        return torch.zeros(())


class Averaged:
    def __init__(self, net, decay=0.98):
        self.net = copy.deepcopy(net)
        self.decay = decay

    @torch.no_grad()
    def update(self, net):
        for a, p in zip(self.net.parameters(), net.parameters()):
            a.copy_(self.decay * a + (1 - self.decay) * p)


class Trainer:
    def __init__(self, z=6, w=48, n_critic=3):
        self.z, self.n_critic = z, n_critic
        self.g, self.d = mlp(z, w, w, 2), mlp(2, w, w, 1)
        self.avg = Averaged(self.g)
        self.penalty = LazyPenalty(self.d)
        self.og = torch.optim.Adam(self.g.parameters(), 3e-4, betas=(0.0, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), 3e-4, betas=(0.0, 0.9))

    def step(self, i, real):
        fake = self.g(torch.randn(len(real), self.z))
        held = fake.detach()
        loss_d = self.d(held).mean() - self.d(real).mean() + self.penalty(real, held)
        self.od.zero_grad()
        loss_d.backward()
        self.od.step()
        if i % self.n_critic == 0:
            # same samples for the generator, judged by the updated critic
            loss_g = -self.d(fake).mean()
            self.og.zero_grad()
            loss_g.backward()
            self.og.step()
            self.avg.update(self.g)
        return loss_d.item()

    @torch.no_grad()
    def spread(self):
        return self.avg.net(torch.randn(256, self.z)).std(0).tolist()


if __name__ == "__main__":
    torch.manual_seed(14)
    torch.set_num_threads(1)
    tr = Trainer()
    for i in range(200):
        value = tr.step(i, stripes(64))
        if i % 40 == 0:
            print(i, round(value, 4), "gp", tr.penalty.value.item(), tr.spread())
