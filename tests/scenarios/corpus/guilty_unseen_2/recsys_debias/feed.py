import torch


class Interactions:
    def __init__(self, nu, ni, seed):
        g = torch.Generator().manual_seed(seed)
        self.nu, self.ni, self.g = nu, ni, g
        self.a = torch.randn(nu, 4, generator=g)
        self.b = torch.randn(ni, 4, generator=g)

    def __call__(self, n):
        u = torch.randint(0, self.nu, (n,), generator=self.g)
        i = torch.randint(0, self.ni, (n,), generator=self.g)
        return u, i, ((self.a[u] * self.b[i]).sum(-1) > 0).float()
