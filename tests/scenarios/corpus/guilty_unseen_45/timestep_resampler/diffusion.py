import torch


class GaussianDiffusion:
    def __init__(self, net, timesteps, sampler):
        self.net = net
        self.T = timesteps
        self.sampler = sampler
        self.beta = torch.linspace(1e-3, 0.25, timesteps)
        self.alpha_bar = torch.cumprod(1 - self.beta, 0)

    def noised(self, x0, t, eps):
        a = self.alpha_bar[t].unsqueeze(1)
        return a.sqrt() * x0 + (1 - a).sqrt() * eps

    def training_loss(self, x0):
        t, weight = self.sampler.draw(len(x0))
        eps = torch.randn_like(x0)
        losses = (self.net(self.noised(x0, t, eps), t) - eps).square().mean(1)
        self.sampler.update(t, losses)  # <- culprit
        return (losses * weight).mean()

    @torch.no_grad()
    def sample(self, n):
        x = torch.randn(n, 2)
        for k in reversed(range(self.T)):
            t = torch.full((n,), k)
            eps = self.net(x, t)
            a = 1 - self.beta[k]
            x = (x - self.beta[k] / (1 - self.alpha_bar[k]).sqrt() * eps) / a.sqrt()
            if k:
                x = x + self.beta[k].sqrt() * torch.randn_like(x)
        return x
