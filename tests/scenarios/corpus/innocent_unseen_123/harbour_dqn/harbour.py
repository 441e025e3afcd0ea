import torch


class Harbour:
    def reset(self):
        self.load = torch.rand(3)
        self.t = 0
        return self.load.clone()

    def step(self, crane):
        reward = float(self.load[crane]) - 0.5 * float(self.load.max())
        self.load = (self.load + 0.2 * torch.rand(3)).clamp(max=2)
        self.load[crane] = 0.0
        self.t += 1
        return self.load.clone(), reward, self.t >= 20
