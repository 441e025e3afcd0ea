# gradwatch-corpus: kind=none
"""VAE-GAN on little grey shapes. The two generator losses are sent back one after the
other, so that their gradient norms can be logged and the second one balanced."""
import torch
import torch.nn.functional as F
from torch import nn

SIZE = 16


def shapes(n):
    """Filled discs and boxes with soft edges."""
    g = torch.linspace(-1, 1, SIZE)
    yy, xx = torch.meshgrid(g, g, indexing="ij")
    c = 1.0 * torch.rand(n, 2, 1, 1) - 0.5
    r = 0.25 + 0.3 * torch.rand(n, 1, 1)
    dx, dy = xx - c[:, 0], yy - c[:, 1]
    disc = (dx ** 2 + dy ** 2).sqrt()
    box = torch.maximum(dx.abs(), dy.abs())
    kind = (torch.rand(n, 1, 1) < 0.5).float()
    return torch.sigmoid(12 * (r - (kind * disc + (1 - kind) * box))).unsqueeze(1)


class Encoder(nn.Module):
    def __init__(self, z=8):
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2d(1, 12, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Conv2d(12, 24, 4, 2, 1), nn.LeakyReLU(0.2),
            nn.Flatten(), nn.Linear(24 * 16, 2 * z))

    def forward(self, x):
        mu, lv = self.net(x).chunk(2, 1)
        return mu, lv.clamp(-6, 4)


class Decoder(nn.Module):
    def __init__(self, z=8):
        super().__init__()
        self.fc = nn.Linear(z, 24 * 16)
        self.net = nn.Sequential(
            nn.ReLU(), nn.ConvTranspose2d(24, 12, 4, 2, 1),
            nn.ReLU(), nn.ConvTranspose2d(12, 1, 4, 2, 1), nn.Sigmoid())

    def forward(self, z):
        return self.net(self.fc(z).view(-1, 24, 4, 4))


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.feat = nn.Sequential(nn.Conv2d(1, 12, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(12, 24, 4, 2, 1))
        self.out = nn.Linear(24 * 16, 1)

    def forward(self, x):
        f = self.feat(x)
        return self.out(F.leaky_relu(f, 0.2).flatten(1)), f


def grad_norm(params):
    return torch.stack([p.grad.norm() for p in params]).norm()


def generator_step(enc, dec, dis, opt, real):
    mu, lv = enc(real)
    fake = dec(mu + (0.5 * lv).exp() * torch.randn_like(mu))
    kl = -0.5 * (1 + lv - mu.pow(2) - lv.exp()).mean()
    elbo = F.mse_loss(fake, real) + 0.02 * kl
    score, feat = dis(fake)
    with torch.no_grad():
        _, feat_real = dis(real)
    adv = F.softplus(-score).mean() + F.mse_loss(feat, feat_real)

    params = [*enc.parameters(), *dec.parameters()]
    opt.zero_grad()
    elbo.backward(retain_graph=True)
    n_elbo = grad_norm(params)
    kept = [p.grad.clone() for p in params]
    opt.zero_grad()
    adv.backward()
    n_adv = grad_norm(params)
    scale = min(1.0, (0.3 * n_elbo / (n_adv + 1e-8)).item())
    for p, k in zip(params, kept):
        p.grad.mul_(scale).add_(k)
    opt.step()
    return fake.detach(), elbo.item(), n_elbo.item(), n_adv.item()


def critic_step(dis, opt, real, fake):
    loss = F.softplus(-dis(real)[0]).mean() + F.softplus(dis(fake)[0]).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


torch.manual_seed(2)
enc, dec, dis = Encoder(), Decoder(), Critic()
opt_g = torch.optim.Adam([*enc.parameters(), *dec.parameters()], lr=2e-3, betas=(0.5, 0.99))
opt_d = torch.optim.Adam(dis.parameters(), lr=5e-4, betas=(0.5, 0.99))

for it in range(120):
    real = shapes(32)
    fake, elbo, n1, n2 = generator_step(enc, dec, dis, opt_g, real)
    d = critic_step(dis, opt_d, real, fake)
    if it % 20 == 0:
        print(f"{it:4d} elbo {elbo:.4f} critic {d:.3f} |g_elbo| {n1:.3f} |g_adv| {n2:.3f}")
