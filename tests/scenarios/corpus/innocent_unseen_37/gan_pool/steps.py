import torch
import torch.nn.functional as F


class GanStep:
    def __init__(self, gen, disc, pool, lr=4e-4):
        self.gen, self.disc, self.pool = gen, disc, pool
        self.opt = torch.optim.Adam([
            {"params": gen.parameters(), "lr": lr},
            {"params": disc.parameters(), "lr": lr / 2},
        ], betas=(0.5, 0.99))

    def __call__(self, real, z):
        self.opt.zero_grad()
        fake = self.gen(z)
        params = list(self.gen.parameters())

        # generator: only its own parameters receive gradients
        score, feat_fake = self.disc(fake)
        with torch.no_grad():
            _, feat_real = self.disc(real)
        adv = F.softplus(-score).mean()
        fm = F.mse_loss(feat_fake.mean(0), feat_real.mean(0))
        adv.backward(inputs=params, retain_graph=True)
        (0.5 * fm).backward(inputs=params)

        old = self.pool.query(fake)
        loss_d = F.softplus(-self.disc(real)[0]).mean() + F.softplus(self.disc(old)[0]).mean()
        loss_d.backward(inputs=list(self.disc.parameters()))
        self.opt.step()
        return {"d": loss_d.detach(), "g": adv.detach(), "fm": fm.detach()}
