import torch
import torch.nn.functional as F


class VQLossWithDiscriminator:
    def __init__(self, disc, start, weight=0.8):
        self.disc, self.start, self.weight = disc, start, weight

    def adaptive(self, nll, g_loss, last):
        g1 = torch.autograd.grad(nll, last, retain_graph=True)[0]
        g2 = torch.autograd.grad(g_loss, last, retain_graph=True)[0]
        w = (g1.norm() / (g2.norm() + 1e-4)).clamp(0, 1e3).detach()
        return w * self.weight

    def generator(self, x, rec, commit, last, step):
        nll = (x - rec).abs().mean()
        g_loss = -self.disc(rec).mean()
        w = self.adaptive(nll, g_loss, last) if step >= self.start else torch.tensor(0.0)
        total = nll + w * g_loss + 0.25 * commit
        return total, {"rec": nll.item(), "weight": w.item()}

    def discriminator(self, x, fake, step):
        x = x.requires_grad_()
        real = self.disc(x)
        hinge = 0.5 * (F.relu(1 - real).mean() + F.relu(1 + self.disc(fake)).mean())
        if step % 4 == 0:  # lazy R1
            g, = torch.autograd.grad(real.sum(), x, create_graph=True)
            hinge = hinge + 0.5 * g.pow(2).sum(1).mean()
        return hinge
