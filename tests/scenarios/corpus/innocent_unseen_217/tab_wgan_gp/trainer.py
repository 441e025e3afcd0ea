import torch


class frozen:
    def __init__(self, module):
        self.module = module

    def __enter__(self):
        self.module.requires_grad_(False)

    def __exit__(self, *exc):
        self.module.requires_grad_(True)


class WGANTrainer:
    def __init__(self, gen, critic, gp, cfg):
        self.gen, self.critic, self.gp, self.cfg = gen, critic, gp, cfg
        self.g_opt = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
        self.c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))

    def noise(self):
        return torch.randn(self.cfg["batch"], self.cfg["z"])

    def round(self, table):
        for _ in range(self.cfg["n_critic"]):
            real = table.sample(self.cfg["batch"])
            with torch.no_grad():
                fake = self.gen(self.noise())
            w = self.critic(real).mean() - self.critic(fake).mean()
            loss = -w + self.gp(self.critic, real, fake)
            self.c_opt.zero_grad()
            loss.backward()
            self.c_opt.step()
        with frozen(self.critic):
            g_loss = -self.critic(self.gen(self.noise())).mean()
            self.g_opt.zero_grad()
            g_loss.backward()
            self.g_opt.step()
        return {"w": round(w.item(), 3), "g": round(g_loss.item(), 3), "norm": round(self.gp.norms[-1], 3)}
