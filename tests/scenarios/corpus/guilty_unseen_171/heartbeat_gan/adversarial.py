import torch
import torch.nn.functional as F


class AdversarialTrainer:
    def __init__(self, gen, disc, lr=4e-4):
        self.gen, self.disc = gen, disc
        self.opt_g = torch.optim.Adam(gen.parameters(), lr=lr, betas=(0.5, 0.99))
        self.opt_d = torch.optim.Adam(disc.parameters(), lr=lr, betas=(0.5, 0.99))

    def disc_loss(self, real, fake):
        r, f = self.disc(real), self.disc(fake)  # <- culprit
        return (F.binary_cross_entropy_with_logits(r, torch.full_like(r, 0.9))
                + F.binary_cross_entropy_with_logits(f, torch.zeros_like(f)))

    def gen_loss(self, fake):
        f = self.disc(fake)
        return F.binary_cross_entropy_with_logits(f, torch.ones_like(f))

    def step(self, real):
        fake = self.gen.draw(len(real))  # <- culprit

        d_loss = self.disc_loss(real, fake)  # <- culprit
        self.opt_d.zero_grad()
        d_loss.backward()
        self.opt_d.step()

        g_loss = self.gen_loss(fake)
        self.opt_g.zero_grad()
        g_loss.backward()
        self.opt_g.step()
        return {"d": d_loss.item(), "g": g_loss.item()}
