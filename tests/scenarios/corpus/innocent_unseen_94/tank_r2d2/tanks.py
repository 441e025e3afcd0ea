import torch


class CoupledTanks:
    def __init__(self, lines):
        self.lines = lines
        self.a = torch.rand(lines)
        self.b = torch.rand(lines)
        self.goal = 0.3 + 0.4 * torch.rand(lines)

    def observe(self):
        return torch.stack([self.b, self.goal, self.b - self.goal], 1)

    def apply(self, act):
        inflow = 0.1 * act.float()
        across = 0.2 * (self.a.clamp_min(0).sqrt())
        out = 0.15 * (self.b.clamp_min(0).sqrt())
        self.a = (self.a + inflow - across).clamp(0, 1.5)
        self.b = (self.b + across - out + 0.005 * torch.randn(self.lines)).clamp(0, 1.5)
        change = torch.rand(self.lines) < 0.01
        self.goal = torch.where(change, 0.3 + 0.4 * torch.rand(self.lines), self.goal)
        return self.observe(), -(self.b - self.goal).abs()
