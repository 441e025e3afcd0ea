import torch


class Orbit:
    def __init__(self, max_ticks):
        self.max_ticks = max_ticks

    def reset(self):
        self.pos, self.tick = 0.0, 0
        self.debris = torch.randn(2)
        return self.view()

    def view(self):
        return torch.tensor([self.pos, self.debris[0].item(), self.debris[1].item(), self.tick / 15])

    def step(self, thrust):
        self.pos += 0.3 * (thrust - 1)
        self.debris[1] -= 0.2
        self.tick += 1
        hit = abs(self.pos - self.debris[0].item()) < 0.2 and abs(self.debris[1].item()) < 0.2
        if self.debris[1] < -1:
            self.debris = torch.tensor([torch.randn(()).item(), 1.0])
        return self.view(), -1.0 if hit else 0.1, hit or self.tick >= self.max_ticks
