import torch


class GaussianDiffusion:
    def __init__(self, T):
        self.T = T
        self.betas = torch.linspace(1e-3, 0.2, T)
        self.abar = torch.cumprod(1 - self.betas, 0)

    def q_sample(self, x0, t, noise):
        a = self.abar[t][:, None]
        return a.sqrt() * x0 + (1 - a).sqrt() * noise

    def training_losses(self, model, x0, t):
        noise = torch.randn_like(x0)
        return (model(self.q_sample(x0, t, noise), t) - noise).pow(2).mean(1)

    @torch.no_grad()
    def p_sample_loop(self, model, shape):
        x = torch.randn(shape)
        for t in reversed(range(self.T)):
            eps = model(x, torch.full((shape[0],), t))
            b, ab = self.betas[t], self.abar[t]
            x = (x - b / (1 - ab).sqrt() * eps) / (1 - b).sqrt()
            if t:
                x = x + b.sqrt() * torch.randn(shape)
        return x
