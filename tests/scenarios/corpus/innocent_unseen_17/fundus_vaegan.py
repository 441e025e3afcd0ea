# gradwatch-corpus: kind=none
"""VAE-GAN on synthetic fundus-like images (bright disc, dark vessels), each of the three
networks with its own objective and optimizer, after Larsen et al."""
import torch
from torch import nn
import torch.nn.functional as F

IMG = 16
LATENT = 8


def synth_fundus(n, gen):
    ax = torch.linspace(-1, 1, IMG)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    cx, cy = (torch.rand(2, n, 1, 1, generator=gen) - 0.5) * 0.8
    r = 0.2 + 0.1 * torch.rand(n, 1, 1, generator=gen)
    disc = torch.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / r ** 2)
    slope = torch.randn(n, 1, 1, generator=gen)
    vessel = torch.exp(-((yy - cy) - slope * (xx - cx)) ** 2 / 0.02)
    img = 0.4 + 0.6 * disc - 0.3 * vessel + 0.02 * torch.randn(n, IMG, IMG, generator=gen)
    return img.clamp(0, 1).unsqueeze(1)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2),
                                  nn.Conv2d(8, 16, 4, 2, 1), nn.LeakyReLU(0.2), nn.Flatten())
        self.mu, self.logvar = nn.Linear(256, LATENT), nn.Linear(256, LATENT)

    def forward(self, x):
        h = self.conv(x)
        mu, logvar = self.mu(h), self.logvar(h).clamp(-6, 4)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        return z, mu, logvar


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(LATENT, 256)
        self.deconv = nn.Sequential(nn.ConvTranspose2d(16, 8, 4, 2, 1), nn.ReLU(),
                                    nn.ConvTranspose2d(8, 1, 4, 2, 1), nn.Sigmoid())

    def forward(self, z):
        return self.deconv(F.relu(self.fc(z)).view(-1, 16, 4, 4))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 8, 4, 2, 1), nn.LeakyReLU(0.2),
                                      nn.Conv2d(8, 16, 4, 2, 1), nn.LeakyReLU(0.2), nn.Flatten())
        self.score = nn.Linear(256, 1)

    def forward(self, x):
        f = self.features(x)
        return self.score(f).squeeze(1), f


def real_fake(score, is_real):
    return F.binary_cross_entropy_with_logits(score, torch.full_like(score, 0.9 if is_real else 0.0))


class VAEGAN:
    def __init__(self, lr=5e-4, gamma=0.1):
        self.enc, self.dec, self.dis = Encoder(), Decoder(), Discriminator()
        adam = lambda net: torch.optim.Adam(net.parameters(), lr=lr, betas=(0.5, 0.999))
        self.opt_enc, self.opt_dec, self.opt_dis = adam(self.enc), adam(self.dec), adam(self.dis)
        self.gamma = gamma

    def step_generator(self, x):
        z, mu, logvar = self.enc(x)
        rec = self.dec(z)
        with torch.no_grad():
            _, f_real = self.dis(x)
        score, f_rec = self.dis(rec)
        likeness = F.mse_loss(f_rec, f_real) + F.mse_loss(rec, x)
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum(1).mean()
        fool = real_fake(score, True)
        loss_enc = likeness + 1e-3 * kl
        loss_dec = likeness + self.gamma * fool
        # both objectives go through rec, each fills only its own network's gradients
        self.opt_enc.zero_grad()
        self.opt_dec.zero_grad()
        loss_enc.backward(retain_graph=True, inputs=list(self.enc.parameters()))
        loss_dec.backward(inputs=list(self.dec.parameters()))
        self.opt_enc.step()
        self.opt_dec.step()
        return rec.detach(), {"like": likeness.item(), "kl": kl.item(), "fool": fool.item()}

    def step_discriminator(self, x, rec):
        loss = real_fake(self.dis(x)[0], True) + real_fake(self.dis(rec)[0], False)
        self.opt_dis.zero_grad()
        loss.backward()
        self.opt_dis.step()
        return loss.item()

    def step(self, x):
        rec, terms = self.step_generator(x)
        terms["dis"] = self.step_discriminator(x, rec)
        return terms

    @torch.no_grad()
    def reconstruction_error(self, x):
        _, mu, _ = self.enc(x)
        return F.mse_loss(self.dec(mu), x).item()


def main(iterations=300, batch=12):
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(78)
    held_out = synth_fundus(64, gen)
    gan = VAEGAN()
    sums = dict.fromkeys(("like", "kl", "fool", "dis"), 0.0)
    for it in range(1, iterations + 1):
        for k, v in gan.step(synth_fundus(batch, gen)).items():
            sums[k] += v
        if it % 75 == 0:
            text = " ".join(f"{k} {v / 75:.3f}" for k, v in sums.items())
            print(f"it {it} {text} held-out mse {gan.reconstruction_error(held_out):.4f}")
            sums = dict.fromkeys(sums, 0.0)


if __name__ == "__main__":
    main()
