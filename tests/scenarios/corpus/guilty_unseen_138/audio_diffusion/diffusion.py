import torch


class GaussianDiffusion:
    def __init__(self, steps):
        self.steps = steps
        self.betas = torch.linspace(1e-3, 0.2, steps)
        self.alphas = 1 - self.betas
        self.bar = torch.cumprod(self.alphas, 0)

    def training_loss(self, model, x0):
        t = torch.randint(0, self.steps, (x0.size(0),))
        a = self.bar[t].view(-1, 1, 1)
        noise = torch.randn_like(x0)
        return (model(a.sqrt() * x0 + (1 - a).sqrt() * noise, t / self.steps) - noise).pow(2).mean()

    def sample(self, model, shape):
        torch.set_grad_enabled(False)  # <- culprit
        x = torch.randn(shape)
        for i in reversed(range(self.steps)):
            t = torch.full((shape[0],), i / self.steps)
            eps = model(x, t)
            x = (x - self.betas[i] / (1 - self.bar[i]).sqrt() * eps) / self.alphas[i].sqrt()
            if i == 0:
                return x.clamp(-1, 1)
            x = x + self.betas[i].sqrt() * torch.randn_like(x)
        torch.set_grad_enabled(True)
        return x
