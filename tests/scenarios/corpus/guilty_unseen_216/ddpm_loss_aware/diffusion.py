import math

import torch


class GaussianDiffusion:
    def __init__(self, steps):
        self.num_timesteps = steps
        f = torch.tensor([math.cos((i / steps + 0.008) / 1.008 * math.pi / 2) ** 2 for i in range(steps + 1)])
        betas = (1 - f[1:] / f[:-1]).clamp(max=0.999)
        ac = torch.cumprod(1 - betas, 0)
        self.sqrt_ac, self.sqrt_1mac = ac.sqrt(), (1 - ac).sqrt()

    def q_sample(self, x0, t, noise):
        return self.sqrt_ac[t, None] * x0 + self.sqrt_1mac[t, None] * noise

    def training_losses(self, model, x0, t):
        noise = torch.randn_like(x0)
        eps = model(self.q_sample(x0, t, noise), t)
        mse = (eps - noise).pow(2).mean(1)
        return {"mse": mse, "loss": mse}
