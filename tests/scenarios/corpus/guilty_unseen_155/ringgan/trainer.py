import torch
import torch.nn.functional as F


class GanTrainer:
    def __init__(self, gen, dis, callbacks=()):
        self.gen, self.dis = gen, dis
        self.callbacks = list(callbacks)
        self.opt_g = torch.optim.Adam(gen.parameters(), 2e-3, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(dis.parameters(), 2e-3, betas=(0.5, 0.99))

    def d_step(self, real):
        with torch.no_grad():
            fake = self.gen(torch.randn(len(real), self.gen.z_dim))
        d_real = self.dis(real)
        loss = F.softplus(-d_real).mean() + F.softplus(self.dis(fake)).mean()
        self.opt_d.zero_grad()
        loss.backward()
        self.opt_d.step()
        return d_real.mean().item()

    def g_step(self, n):
        fake = self.gen(torch.randn(n, self.gen.z_dim))
        loss = F.softplus(-self.dis(fake)).mean()
        self.opt_g.zero_grad()
        loss.backward()
        self.opt_g.step()
        return fake, loss.item()

    def fit(self, sampler, steps, batch=64):
        for step in range(steps):
            d_real = self.d_step(sampler(batch))
            fake, g_loss = self.g_step(batch)
            logs = {"d_real": d_real, "g_loss": g_loss, "fake": fake}  # <- culprit
            for cb in self.callbacks:
                cb.on_step_end(self, step, logs)
