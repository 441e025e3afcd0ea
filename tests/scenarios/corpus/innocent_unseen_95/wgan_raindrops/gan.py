import torch


class WGANGP:
    def __init__(self, gen, critic, lam=10.0, lr=5e-4):
        self.gen, self.critic, self.lam = gen, critic, lam
        self.opt_g = torch.optim.Adam(gen.parameters(), lr=lr, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(critic.parameters(), lr=lr, betas=(0.0, 0.9))

    def gradient_penalty(self, real, fake):
        eps = torch.rand(real.size(0), 1)
        x = (eps * real + (1 - eps) * fake).requires_grad_(True)
        score = self.critic(x)
        g, = torch.autograd.grad(score.sum(), x, create_graph=True)
        return (g.norm(2, dim=1) - 1).square().mean()

    def critic_step(self, real):
        fake = self.sample(torch.randn(real.size(0), self.gen.z_dim))
        wdist = self.critic(real).mean() - self.critic(fake).mean()
        gp = self.gradient_penalty(real, fake)
        loss = -wdist + self.lam * gp
        self.opt_c.zero_grad(set_to_none=True)
        loss.backward()
        self.opt_c.step()
        return {"wdist": wdist.item(), "gp": gp.item()}

    def generator_step(self, n):
        self.critic.requires_grad_(False)
        loss = -self.critic(self.gen(torch.randn(n, self.gen.z_dim))).mean()
        self.opt_g.zero_grad(set_to_none=True)
        loss.backward()
        self.opt_g.step()
        self.critic.requires_grad_(True)
        return loss.item()

    @torch.no_grad()
    def sample(self, z):
        return self.gen(z)
