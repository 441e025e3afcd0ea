import torch


class Plant:
    UA, C, D = 0.9, 0.35, 0.05

    def __init__(self, rs):
        self.rs = rs
        self.x = torch.tensor([0.1, 0.5])

    def measure(self):
        return self.x.clone()

    def step(self, u):
        hot, cold = self.x[1], self.x[0]
        q = self.UA * (hot - cold)
        d = torch.stack([self.C * q - 0.2 * cold + self.D, -0.5 * self.C * q + u[0] - 0.3 * hot])
        self.x = self.x + 0.5 * d + 0.002 * torch.tensor(self.rs.randn(2), dtype=torch.float32)
        return self.measure()
