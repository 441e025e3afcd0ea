import torch


class Gripper:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.skill = torch.randn(5, generator=self.gen)

    def batch(self, n):
        obs = torch.randn(n, 5, generator=self.gen)
        ret = torch.sigmoid(obs @ self.skill) + 0.05 * torch.randn(n, generator=self.gen)
        return obs, ret
