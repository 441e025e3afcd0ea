import torch
from torch.nn import functional as F


class Adversarial:
    def __init__(self, gen, critic, penalty_every=4, penalty=1.0):
        self.gen, self.critic = gen, critic
        self.opt_g = torch.optim.Adam(gen.parameters(), 1e-3, betas=(0.5, 0.99))
        self.opt_c = torch.optim.Adam(critic.parameters(), 1e-3, betas=(0.5, 0.99))
        self.penalty_every, self.penalty = penalty_every, penalty
        self.log = {"critic": [], "gen": [], "r1": []}

    def r1(self, real):
        real = real.clone().requires_grad_()
        score, _ = self.critic(real)
        (slope,) = torch.autograd.grad(score.sum(), real, create_graph=True)
        return slope.pow(2).sum(1).mean()

    def critic_step(self, real, fake, number):
        s_real, _ = self.critic(real)
        s_fake, _ = self.critic(fake.detach())
        loss = F.softplus(-s_real).mean() + F.softplus(s_fake).mean()
        self.opt_c.zero_grad()
        loss.backward()
        if number % self.penalty_every == 0:
            r1 = self.r1(real)
            (self.penalty * r1).backward()
            self.log["r1"].append(r1.item())
        self.opt_c.step()
        self.log["critic"].append(loss.item())

    def gen_step(self, real, fake):
        score, feat = self.critic(fake)
        with torch.no_grad():
            _, target = self.critic(real)
        loss = F.softplus(-score).mean() + 0.5 * F.l1_loss(feat.mean(0), target.mean(0))
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.log["gen"].append(loss.item())

    def step(self, real, number):
        fake = self.gen(len(real))
        self.critic_step(real, fake, number)
        self.gen_step(real, fake)
