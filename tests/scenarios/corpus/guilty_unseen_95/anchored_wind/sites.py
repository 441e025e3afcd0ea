import torch

PROFILE = {"ridge": (9.0, 0.3), "coast": (7.5, 0.15), "plain": (6.0, 0.2)}


class SiteData:
    def __init__(self, site):
        mean, turb = PROFILE[site]
        speed = torch.distributions.Weibull(mean, 2.0).sample((600, 1))
        direc = torch.rand(600, 1) * 6.283
        temp = torch.randn(600, 1)
        turbu = turb + 0.05 * torch.randn(600, 1)
        self.x = torch.cat([speed / 10, direc.sin(), direc.cos(), temp, turbu], 1)
        self.y = torch.sigmoid((speed - 8.0) * 0.8) * (1.0 - 0.02 * temp) + 0.02 * torch.randn(600, 1)

    def batch(self, n):
        i = torch.randint(0, 500, (n,))
        return self.x[i], self.y[i]

    def holdout(self):
        return self.x[500:], self.y[500:]
