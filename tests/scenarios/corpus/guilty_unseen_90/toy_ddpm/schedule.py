import torch


class NoiseSchedule:
    def __init__(self, timesteps, beta0=1e-4, beta1=0.05):
        betas = torch.linspace(beta0, beta1, timesteps)
        ac = torch.cumprod(1 - betas, 0)
        self.sqrt_ac = ac.sqrt()
        self.sqrt_om = (1 - ac).sqrt()

    def add_noise(self, x0, noise, t):
        return self.sqrt_ac[t][:, None] * x0 + self.sqrt_om[t][:, None] * noise
