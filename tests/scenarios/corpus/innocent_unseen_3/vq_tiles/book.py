import torch


class CodeBook(torch.nn.Module):
    """codes move by running averages; a code nobody used for a while is thrown back onto a fresh vector"""

    def __init__(self, n, d, decay=.97, patience=30):
        super().__init__()
        self.register_buffer("codes", torch.randn(n, d))
        self.register_buffer("mass", torch.ones(n))
        self.register_buffer("total", self.codes.clone())
        self.register_buffer("idle", torch.zeros(n, dtype=torch.long))
        self.decay, self.patience = decay, patience

    @torch.no_grad()
    def absorb(self, z, pick):
        hot = torch.nn.functional.one_hot(pick, len(self.codes)).to(z)
        self.mass.lerp_(hot.sum(0), 1 - self.decay)
        self.total.lerp_(hot.T @ z, 1 - self.decay)
        self.codes = self.total / (self.mass[:, None] + 1e-3)
        self.idle = torch.where(hot.any(0), 0, self.idle + 1)
        dead = self.idle > self.patience
        if dead.any():
            k = int(dead.sum())
            self.codes[dead] = z[torch.randint(len(z), (k,))]
            self.total[dead], self.mass[dead], self.idle[dead] = self.codes[dead], 1., 0
        return int((self.idle == 0).sum())
