import torch


class GaussianDiffusion:
    def __init__(self, timesteps):
        self.T = timesteps
        self.betas = torch.linspace(1e-4, 0.04, timesteps)
        self.abar = torch.cumprod(1 - self.betas, 0)

    def q_sample(self, x0, t, noise):
        a = self.abar[t].unsqueeze(1)
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    def training_losses(self, model, x0, t):
        noise = torch.randn_like(x0)
        pred = model(self.q_sample(x0, t, noise), t)
        return (pred - noise).pow(2).mean(dim=1)

    @torch.no_grad()
    def sample(self, model, shape):
        x = torch.randn(shape)
        for i in reversed(range(self.T)):
            t = torch.full((shape[0],), i)
            eps = model(x, t)
            x = (x - self.betas[i] / (1 - self.abar[i]).sqrt() * eps) / (1 - self.betas[i]).sqrt()
            if i:
                x = x + self.betas[i].sqrt() * torch.randn(shape)
        return x
