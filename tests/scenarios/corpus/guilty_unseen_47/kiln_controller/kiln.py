import torch


class Kiln:
    """One-zone kiln; follow a firing curve with the burner valve."""
    obs_dim = 3
    length = 40

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def target(self):
        return min(1.0, self.t / 25)

    def reset(self):
        self.t = 0
        self.temp = 0.1 * torch.rand(1, generator=self.gen).item()
        return self._obs()

    def _obs(self):
        return torch.tensor([self.temp, self.target(), self.t / self.length])

    def step(self, act):
        self.t += 1
        valve = float(act.clamp(-1, 1)) * 0.5 + 0.5
        self.temp += 0.12 * valve - 0.06 * self.temp
        self.temp += 0.01 * torch.randn(1, generator=self.gen).item()
        return self._obs(), -abs(self.temp - self.target()), self.t >= self.length
