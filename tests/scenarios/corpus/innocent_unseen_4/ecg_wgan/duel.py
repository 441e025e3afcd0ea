from collections import deque

import torch


class Duel:
    def __init__(self, synth, critic, lam=5.0, n_critic=3):
        self.synth, self.critic, self.lam, self.n_critic = synth, critic, lam, n_critic
        self.opt_s = torch.optim.Adam(synth.parameters(), lr=5e-4, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(critic.parameters(), lr=5e-4, betas=(0.5, 0.9))
        self.history = deque(maxlen=20)   # earlier fakes shown again to the critic
        self.gaps = []
        self.turn = 0

    def slope(self, a, b):
        u = torch.rand(len(a), 1)
        mix = (u * a + (1 - u) * b).requires_grad_(True)
        (g,) = torch.autograd.grad(self.critic(mix).sum(), mix, create_graph=True)
        return (g.norm(dim=1) - 1).square().mean()

    def critic_turn(self, real):
        fake = self.synth(len(real)).detach()
        self.history.append(fake)
        shown = torch.cat([fake[::2], self.history[0][1::2]])
        gap = self.critic(shown).mean() - self.critic(real).mean()
        self.opt_c.zero_grad()
        gap.backward(retain_graph=False)
        (self.lam * self.slope(real, shown)).backward()
        self.opt_c.step()
        self.gaps.append(-gap.item())

    def synth_turn(self, k):
        self.critic.requires_grad_(False)
        self.last = self.synth(k)
        self.opt_s.zero_grad()
        (-self.critic(self.last).mean()).backward()
        self.opt_s.step()
        self.critic.requires_grad_(True)

    def play(self, real):
        self.critic_turn(real)
        self.turn += 1
        if self.turn % self.n_critic == 0:
            self.synth_turn(len(real))
