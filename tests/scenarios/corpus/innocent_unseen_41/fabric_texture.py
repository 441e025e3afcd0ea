# gradwatch-corpus: kind=none
"""Autoencoder with patch critic on woven textures; adversarial weight set from last-layer gradients."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Weaver(nn.Module):
    def __init__(self, code=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.ReLU(), nn.Conv2d(8, code, 4, 2, 1))
        self.dec = nn.Sequential(nn.ConvTranspose2d(code, 8, 4, 2, 1), nn.ReLU())
        self.last = nn.ConvTranspose2d(8, 1, 4, 2, 1)

    def forward(self, img):
        return self.last(self.dec(self.enc(img)))


def patch_critic():
    return nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(8, 1, 3, 1, 1))


def cloth(n, size=16):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    f = 0.6 + torch.rand(n, 1, 1, 1)
    return torch.sin(f * xx) * torch.cos(f * yy) + 0.1 * torch.randn(n, 1, size, size)


class TextureTrainer:
    def __init__(self):
        self.gen, self.critic = Weaver(), patch_critic()
        self.opt_g = torch.optim.Adam(self.gen.parameters(), lr=2e-3, betas=(0.5, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3, betas=(0.5, 0.9))
        self.it = 0
        self.weight_avg = 0.0

    def balance(self, rec_loss, adv_loss):
        layer = self.gen.last.weight
        g_rec = torch.autograd.grad(rec_loss, layer, retain_graph=True)[0]
        g_adv = torch.autograd.grad(adv_loss, layer, retain_graph=True)[0]
        weight = (g_rec.norm() / (g_adv.norm() + 1e-4)).clamp(0, 10)
        self.weight_avg = 0.9 * self.weight_avg + 0.1 * weight
        return weight

    def step(self, img):
        fake = self.gen(img)

        rec = F.l1_loss(fake, img)
        adv = -self.critic(fake).mean()
        total = rec + 0.2 * self.balance(rec, adv) * adv
        self.opt_g.zero_grad()
        total.backward()
        self.opt_g.step()

        c_loss = F.relu(1 - self.critic(img)).mean() + F.relu(1 + self.critic(fake.detach())).mean()
        self.opt_c.zero_grad()
        c_loss.backward()
        self.opt_c.step()

        self.it += 1
        return {"rec": rec.item(), "adv": adv.item(), "critic": c_loss.item()}


def main():
    torch.manual_seed(70)
    trainer = TextureTrainer()
    for _ in range(100):
        out = trainer.step(cloth(24))
        if trainer.it % 20 == 0:
            line = "  ".join(f"{k} {v:.3f}" for k, v in out.items())
            print(f"it {trainer.it:3d}  {line}  w {float(trainer.weight_avg):.2f}")


if __name__ == "__main__":
    main()
