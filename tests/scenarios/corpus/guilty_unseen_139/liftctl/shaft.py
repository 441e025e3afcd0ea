import torch


class Shaft:
    def __init__(self, floors):
        self.floors = floors
        self.obs_dim = 2 * floors

    def reset(self):
        self.car = 0
        self.calls = torch.zeros(self.floors)
        return self.view()

    def view(self):
        here = torch.zeros(self.floors)
        here[self.car] = 1.0
        return torch.cat([here, self.calls])

    def step(self, move):
        self.car = min(self.floors - 1, max(0, self.car + move - 1))
        served = self.calls[self.car].item()
        self.calls[self.car] = 0.0
        if torch.rand(()) < 0.3:
            self.calls[torch.randint(self.floors, ())] = 1.0
        return self.view(), served - 0.02 * self.calls.sum().item()
