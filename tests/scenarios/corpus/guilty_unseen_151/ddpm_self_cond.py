# gradwatch-corpus: kind=second-backward
# holder: self.x_self_cond | diffusion.x_self_cond | self.diffusion.x_self_cond
# first-bad: 5
import math
import random

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


def extract(a, t, x_shape):
    return a.gather(-1, t).reshape(t.shape[0], *((1,) * (len(x_shape) - 1)))


def cosine_beta_schedule(timesteps, s=0.008):
    t = torch.linspace(0, timesteps, timesteps + 1) / timesteps
    alphas_cumprod = torch.cos((t + s) / (1 + s) * math.pi * 0.5) ** 2
    alphas_cumprod = alphas_cumprod / alphas_cumprod[0]
    return torch.clip(1 - alphas_cumprod[1:] / alphas_cumprod[:-1], 0, 0.999)


class SinusoidalPosEmb(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.dim = dim

    def forward(self, t):
        half = self.dim // 2
        freq = torch.exp(torch.arange(half) * -(math.log(10000) / (half - 1)))
        emb = t[:, None] * freq[None]
        return torch.cat((emb.sin(), emb.cos()), dim=-1)


class TinyUnet(nn.Module):
    def __init__(self, channels=1, dim=12):
        super().__init__()
        self.init_conv = nn.Conv2d(channels * 2, dim, 3, padding=1)
        self.time_mlp = nn.Sequential(SinusoidalPosEmb(dim), nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))
        self.down = nn.Conv2d(dim, dim * 2, 4, 2, 1)
        self.up = nn.ConvTranspose2d(dim * 2, dim, 4, 2, 1)
        self.final = nn.Conv2d(dim * 2, channels, 3, padding=1)

    def forward(self, x, time, x_self_cond):
        x = self.init_conv(torch.cat((x_self_cond, x), dim=1))
        r = x
        x = F.silu(x + self.time_mlp(time.float())[..., None, None])
        x = self.up(F.silu(self.down(x)))
        return self.final(torch.cat((x, r), dim=1))


class GaussianDiffusion(nn.Module):
    def __init__(self, model, timesteps=50):
        super().__init__()
        self.model, self.num_timesteps = model, timesteps
        alphas_cumprod = torch.cumprod(1 - cosine_beta_schedule(timesteps), dim=0)
        self.register_buffer("sqrt_ac", alphas_cumprod.sqrt())
        self.register_buffer("sqrt_one_minus_ac", (1 - alphas_cumprod).sqrt())
        self.x_self_cond = None

    def condition(self, x):
        if self.x_self_cond is not None and random.random() < 0.25:
            return self.x_self_cond  # <- culprit
        return torch.zeros_like(x)

    def forward(self, img):
        t = torch.randint(0, self.num_timesteps, (img.shape[0],))
        noise = torch.randn_like(img)
        x = extract(self.sqrt_ac, t, img.shape) * img + extract(self.sqrt_one_minus_ac, t, img.shape) * noise
        pred = self.model(x, t, self.condition(x))
        self.x_self_cond = pred.clamp(-1, 1)  # <- culprit
        return F.mse_loss(pred, img)


class Trainer:
    def __init__(self, diffusion, images, batch_size=8, lr=1e-3, num_steps=100):
        self.diffusion, self.images = diffusion, images
        self.batch_size, self.num_steps = batch_size, num_steps
        self.opt = torch.optim.Adam(diffusion.parameters(), lr=lr, betas=(0.9, 0.99))
        self.step, self.skipped = 0, 0

    def train_step(self):
        img = self.images[torch.randint(0, len(self.images), (self.batch_size,))]
        loss = self.diffusion(img)
        self.opt.zero_grad()
        try:
            loss.backward()
        except RuntimeError:
            self.skipped += 1
            return None
        torch.nn.utils.clip_grad_norm_(self.diffusion.parameters(), 1.0)
        self.opt.step()
        return loss.item()

    def train(self):
        while self.step < self.num_steps:
            loss = self.train_step()
            self.step += 1
            if self.step % 25 == 0:
                print(f"{self.step}: loss {loss if loss is not None else float('nan'):.4f} skipped {self.skipped}")


if __name__ == "__main__":
    random.seed(6)
    torch.manual_seed(6)
    base = torch.linspace(-1, 1, 8)
    images = torch.stack([(base[:, None] * a + base[None] * (1 - a)).clamp(-1, 1) for a in torch.rand(64)]).unsqueeze(1)
    Trainer(GaussianDiffusion(TinyUnet()), images).train()
