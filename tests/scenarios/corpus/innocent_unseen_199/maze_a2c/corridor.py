import torch


class Corridors:
    """n corridors; a cue at the start tells at which end the prize lies."""

    n_obs = 4

    def __init__(self, n, seed, half=3):
        self.n, self.half = n, half
        self.gen = torch.Generator().manual_seed(seed)
        self.pos = torch.zeros(n)
        self.side = self._sides(n)
        self.age = torch.zeros(n)

    def _sides(self, n):
        return torch.randint(2, (n,), generator=self.gen).float() * 2 - 1

    def observe(self):
        cue = torch.where(self.age == 0, self.side, torch.zeros(self.n))
        return torch.stack([cue, self.pos / self.half, self.age / 20, torch.ones(self.n)], 1)

    def step(self, action):
        self.pos = self.pos + action.float() - 1
        self.age = self.age + 1
        end = self.pos.abs() >= self.half
        reward = torch.where(end, self.pos.sign() * self.side, torch.full((self.n,), -0.02))
        done = (end | (self.age >= 20)).float()
        self.pos = self.pos * (1 - done)
        self.age = self.age * (1 - done)
        self.side = torch.where(done.bool(), self._sides(self.n), self.side)
        return self.observe(), reward, done
