import torch

from .penalty import gradient_penalty


class GanSolver:
    def __init__(self, cfg, gen, critic, bus):
        self.cfg, self.gen, self.critic, self.bus = cfg, gen, critic, bus
        self.opt_g = torch.optim.Adam(gen.parameters(), lr=cfg.lr, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(critic.parameters(), lr=cfg.lr, betas=(0.5, 0.9))

    def sample(self):
        return self.gen(torch.randn(self.cfg.batch, self.cfg.noise))

    def critic_step(self, real):
        fake = self.sample().detach()
        wdist = self.critic(real).mean() - self.critic(fake).mean()
        gp = gradient_penalty(self.critic, real, fake)
        self.opt_c.zero_grad()
        (self.cfg.gp * gp - wdist).backward()
        self.opt_c.step()
        self.bus.fire("critic", wdist=wdist, gp=gp)

    def generator_step(self):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.sample()).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        self.critic.requires_grad_(True)
        self.bus.fire("generator", loss=loss)

    def solve(self, stream):
        for r in range(self.cfg.rounds):
            for _ in range(self.cfg.critic_steps):
                self.critic_step(next(stream))
            self.generator_step()
            if r % 40 == 0:
                print("round", r)
