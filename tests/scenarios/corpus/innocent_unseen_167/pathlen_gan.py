# gradwatch-corpus: kind=none
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import autograd

torch.set_num_threads(1)
torch.manual_seed(8)
IMG, LATENT, BATCH, ITERS = 8, 16, 8, 110
R1, PATH_REG, D_REG_EVERY, G_REG_EVERY = 1.0, 2.0, 4, 4


class Mapping(nn.Sequential):
    def __init__(self):
        super().__init__(nn.Linear(LATENT, 32), nn.LeakyReLU(0.2), nn.Linear(32, 32), nn.LeakyReLU(0.2))


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.mapping = Mapping()
        self.const = nn.Parameter(torch.randn(1, 16, 4, 4))
        self.style = nn.Linear(32, 16)
        self.conv1, self.conv2 = nn.Conv2d(16, 16, 3, padding=1), nn.Conv2d(16, 1, 3, padding=1)

    def forward(self, z, return_latents=False):
        w = self.mapping(z)
        h = self.const * (1 + self.style(w))[:, :, None, None]
        h = F.leaky_relu(self.conv1(F.interpolate(h, scale_factor=2)), 0.2)
        img = torch.tanh(self.conv2(h))
        return (img, w) if return_latents else img


def discriminator():
    return nn.Sequential(nn.Conv2d(1, 16, 3, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(16, 32, 3, 2, 1),
                         nn.LeakyReLU(0.2), nn.Flatten(), nn.Linear(128, 1))


def d_r1_loss(real_pred, real_img):
    grad_real, = autograd.grad(real_pred.sum(), real_img, create_graph=True)
    return grad_real.pow(2).flatten(1).sum(1).mean()


def g_path_regularize(fake_img, latents, mean_path_length, decay=0.01):
    noise = torch.randn_like(fake_img) / math.sqrt(fake_img.shape[2] * fake_img.shape[3])
    grad, = autograd.grad((fake_img * noise).sum(), latents, create_graph=True)
    path_lengths = torch.sqrt(grad.pow(2).sum(1))
    path_mean = mean_path_length + decay * (path_lengths.mean() - mean_path_length)
    path_penalty = (path_lengths - path_mean).pow(2).mean()
    return path_penalty, path_mean.detach(), path_lengths


def accumulate(ema, net, decay=0.98):
    target, source = dict(ema.named_parameters()), dict(net.named_parameters())
    for k in target:
        target[k].data.mul_(decay).add_(source[k].data, alpha=1 - decay)


def requires_grad(model, flag):
    for p in model.parameters():
        p.requires_grad = flag


def real_batch():
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, IMG), torch.linspace(-1, 1, IMG), indexing="ij")
    c = torch.rand(BATCH, 2, 1, 1) - 0.5
    return (2 * torch.exp(-4 * ((yy - c[:, :1]) ** 2 + (xx - c[:, 1:]) ** 2)) - 1)


G, D = Generator(), discriminator()
g_ema = copy.deepcopy(G).eval()
g_opt = torch.optim.Adam(G.parameters(), lr=2e-3, betas=(0.0, 0.99))
d_opt = torch.optim.Adam(D.parameters(), lr=2e-3, betas=(0.0, 0.99))
mean_path_length, mean_path_length_avg = 0, 0.0
for i in range(ITERS):
    real = real_batch()
    requires_grad(G, False), requires_grad(D, True)
    fake = G(torch.randn(BATCH, LATENT))
    d_loss = F.softplus(D(fake)).mean() + F.softplus(-D(real)).mean()
    d_opt.zero_grad()
    d_loss.backward()
    d_opt.step()
    if i % D_REG_EVERY == 0:
        real.requires_grad = True
        real_pred = D(real)
        r1 = d_r1_loss(real_pred, real)
        d_opt.zero_grad()
        (R1 / 2 * r1 * D_REG_EVERY + 0 * real_pred[0, 0]).backward()
        d_opt.step()
    requires_grad(G, True), requires_grad(D, False)
    g_loss = F.softplus(-D(G(torch.randn(BATCH, LATENT)))).mean()
    g_opt.zero_grad()
    g_loss.backward()
    g_opt.step()
    if i % G_REG_EVERY == 0:
        fake, latents = G(torch.randn(BATCH // 2, LATENT), return_latents=True)
        path_loss, mean_path_length, path_lengths = g_path_regularize(fake, latents, mean_path_length)
        g_opt.zero_grad()
        (PATH_REG * G_REG_EVERY * path_loss + 0 * fake[0, 0, 0, 0]).backward()
        g_opt.step()
        mean_path_length_avg = mean_path_length.item()
    accumulate(g_ema, G)
print(f"d {d_loss.item():.3f} g {g_loss.item():.3f} r1 {r1.item():.4f} mean path {mean_path_length_avg:.4f}")
