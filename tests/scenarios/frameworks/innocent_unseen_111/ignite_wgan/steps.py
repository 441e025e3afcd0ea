import torch


class WGANStep:
    def __init__(self, gen, critic, lam, n_critic):
        self.gen, self.critic = gen, critic
        self.lam, self.n_critic = lam, n_critic
        self.opt_g = torch.optim.Adam(gen.parameters(), lr=5e-4, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(critic.parameters(), lr=5e-4, betas=(0.5, 0.9))
        self.g_loss = None

    def penalty(self, real, fake):
        eps = torch.rand(len(real), 1)
        mix = (eps * real + (1 - eps) * fake.detach()).requires_grad_()
        score = self.critic(mix)
        (grad,) = torch.autograd.grad(score.sum(), mix, create_graph=True)
        return ((grad.norm(dim=1) - 1) ** 2).mean()

    def __call__(self, engine, real):
        fake = self.gen.sample(len(real))
        gap = self.critic(real).mean() - self.critic(fake.detach()).mean()
        gp = self.penalty(real, fake)
        c_loss = -gap + self.lam * gp
        self.opt_c.zero_grad()
        c_loss.backward()
        self.opt_c.step()

        if engine.state.iteration % self.n_critic == 0:
            self.g_loss = -self.critic(fake).mean()
            self.opt_g.zero_grad()
            self.g_loss.backward()
            self.opt_g.step()
        return {"critic": c_loss, "penalty": gp, "gap": gap, "fake": fake, "gen": self.g_loss}
