# gradwatch-corpus: kind=none
import itertools
import torch
from torch import nn, autograd

torch.set_num_threads(1)


def mlp(*dims, act=nn.LeakyReLU):
    layers = []
    for a, b in itertools.pairwise(dims):
        layers += [nn.Linear(a, b), act()]
    return nn.Sequential(*layers[:-1])


class Loom:
    def __init__(self, noise=4, thread=6, penalty=5.0, lazy=4):
        self.weaver, self.critic = mlp(noise, 16, thread), mlp(thread, 24, 24, 1, act=nn.Softplus)
        self.noise, self.penalty, self.lazy = noise, penalty, lazy
        self.opt = {k: torch.optim.Adam(m.parameters(), lr=1e-3, betas=(0.5, 0.9))
                    for k, m in (("weaver", self.weaver), ("critic", self.critic))}
        self.slopes = []

    def slope_penalty(self, real, fake):
        mix = torch.rand(real.shape[0], 1)
        between = (mix * real + (1 - mix) * fake).requires_grad_()
        (g,) = autograd.grad(self.critic(between).sum(), between, create_graph=True)
        norm = g.norm(dim=1)
        self.slopes.append(norm.mean().item())
        return (norm - 1).square().mean()

    def critic_turn(self, real, turn):
        fake = self.weaver(torch.randn(real.shape[0], self.noise)).detach()
        loss = self.critic(fake).mean() - self.critic(real).mean()
        if turn % self.lazy == 0:
            loss = loss + self.lazy * self.penalty * self.slope_penalty(real, fake)
        self.apply("critic", loss)

    def weaver_turn(self, n):
        self.apply("weaver", -self.critic(self.weaver(torch.randn(n, self.noise))).mean())

    def apply(self, who, loss):
        opt = self.opt[who]
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()


def cloth(n=16):
    base = torch.randn(3, 6)
    while True:
        yield base[torch.randint(0, 3, (n,))] + 0.1 * torch.randn(n, 6)


if __name__ == "__main__":
    torch.manual_seed(101)
    loom = Loom()
    for turn, real in zip(range(900), cloth()):
        loom.critic_turn(real, turn)
        if turn % 3 == 2:
            loom.weaver_turn(16)
    print(sum(loom.slopes[-20:]) / 20)
