import torch

from .penalty import lipschitz_penalty


class Duel:
    def __init__(self, gen, critic, weight, critic_rounds=3):
        self.gen, self.critic = gen, critic
        self.weight, self.critic_rounds = weight, critic_rounds
        self.g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.grid = torch.linspace(0, 1, 16)

    def _real(self, n=12):
        mu = 0.3 + 0.4 * torch.rand(n, 1)
        return torch.exp(-((self.grid - mu) ** 2) / 0.01)

    def _noise(self, n=12):
        return torch.randn(n, 4)

    def _criticise(self):
        real, fake = self._real(), self.gen(self._noise()).detach()
        gap = self.critic(fake).mean() - self.critic(real).mean()
        self.c_opt.zero_grad()
        (gap + self.weight * lipschitz_penalty(self.critic, real, fake)).backward()
        self.c_opt.step()
        return -gap.item()

    def round(self):
        for _ in range(self.critic_rounds):
            w = self._criticise()
        self.g_opt.zero_grad()
        (-self.critic(self.gen(self._noise())).mean()).backward()
        self.g_opt.step()
        return w
