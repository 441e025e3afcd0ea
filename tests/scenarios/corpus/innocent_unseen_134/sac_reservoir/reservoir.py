import torch


class Reservoir:
    def reset(self):
        self.level, self.flow, self.t = 0.5 + 0.2 * float(torch.rand(())), 0.1, 0
        return self.view()

    def view(self):
        return torch.tensor([self.level, self.flow, self.t / 50])

    def step(self, gate):
        out = 0.2 * (float(gate) + 1) / 2
        self.flow = max(0.0, 0.9 * self.flow + 0.01 + 0.03 * float(torch.randn(())))
        self.level = min(1.5, max(0.0, self.level + self.flow - out))
        self.t += 1
        return self.view(), -abs(self.level - 0.6) - 0.2 * out, self.t >= 50
