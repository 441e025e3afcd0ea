import torch


class Greenhouse:
    def reset(self):
        self.temp, self.hum, self.sun = 0.0, 0.0, 0.5
        return self.view()

    def view(self):
        return torch.tensor([self.temp, self.hum, self.sun])

    def step(self, act):
        vent = act - 1
        self.sun = 0.9 * self.sun + 0.1 * torch.rand(()).item()
        self.temp = 0.9 * self.temp + 0.3 * (self.sun - 0.5) - 0.2 * vent
        self.hum = 0.9 * self.hum - 0.1 * vent + 0.05 * torch.randn(()).item()
        return self.view(), -abs(self.temp) - 0.5 * abs(self.hum)
