import torch

from .nets import make_critic, make_generator, weave


class WeaveTrainer:
    def __init__(self, critic_rounds, lam=10.0):
        self.G, self.C = make_generator(), make_critic()
        self.og = torch.optim.Adam(self.G.parameters(), 1e-3, betas=(0.5, 0.9))
        self.oc = torch.optim.Adam(self.C.parameters(), 1e-3, betas=(0.5, 0.9))
        self.critic_rounds, self.lam = critic_rounds, lam

    def penalty(self, real, fake):
        mix = torch.rand(len(real), 1)
        between = (mix * real + (1 - mix) * fake).requires_grad_(True)
        (slope,) = torch.autograd.grad(self.C(between).sum(), between, create_graph=True)
        return ((slope.norm(dim=1) - 1) ** 2).mean()

    def critic_step(self):
        real = weave(16)
        with torch.no_grad():
            fake = self.G(torch.randn(16, 4))
        loss = self.C(fake).mean() - self.C(real).mean() + self.lam * self.penalty(real, fake)
        self.oc.zero_grad()
        loss.backward()
        self.oc.step()
        return loss.item()

    def generator_step(self):
        loss = -self.C(self.G(torch.randn(16, 4))).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        return loss.item()

    def round(self):
        c = [self.critic_step() for _ in range(self.critic_rounds)][-1]
        return c, self.generator_step()
