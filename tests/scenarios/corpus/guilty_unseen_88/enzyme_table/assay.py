import torch


class Assay:
    """Plate reader, faked."""

    def __init__(self, n_exp, n_sub):
        self.cond = torch.rand(n_exp, 2)                       # pH, T, scaled
        self.S = torch.logspace(-1, 1.3, n_sub).repeat(n_exp, 1)
        self.inh = torch.randint(0, 3, (n_exp, 1)).float()
        vmax = 2 + 3 * torch.exp(-((self.cond[:, :1] - 0.5) / 0.3) ** 2)
        km = 1 + self.cond[:, 1:]
        self.v = vmax * self.S / (km * (1 + self.inh / 2.0) + self.S)
        self.v = (self.v * (1 + 0.04 * torch.randn_like(self.v))).clamp_min(0)

    def draw(self, k):
        i = torch.randint(0, len(self.cond), (k,))
        return self.cond[i], self.S[i], self.inh[i], self.v[i]
