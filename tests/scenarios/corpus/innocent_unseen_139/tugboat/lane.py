import torch


class Lane:
    def reset(self):
        self.off, self.age = torch.randn(()).item() * 0.3, 0
        return self.view()

    def view(self):
        return torch.tensor([self.off, self.age / 30])

    def step(self, act):
        self.off += 0.1 * (act - 1) + 0.05 * torch.randn(()).item()
        self.age += 1
        return self.view(), 1 - abs(self.off), abs(self.off) > 1 or self.age >= 30
