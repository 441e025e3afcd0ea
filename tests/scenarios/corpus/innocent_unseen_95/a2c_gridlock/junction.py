import torch


class Junction:
    """Four approaches, two phases; reward is minus the (scaled) queue length."""

    obs_dim, n_actions = 5, 2

    def __init__(self, n):
        self.n = n

    def reset(self):
        self.queue = torch.randint(0, 4, (self.n, 4)).float()
        self.phase = torch.zeros(self.n)
        self.rate = 0.2 + 0.6 * torch.rand(self.n, 4)
        return self.obs()

    def obs(self):
        noisy = self.queue + 0.5 * torch.randn_like(self.queue)
        return torch.cat([noisy / 10, self.phase[:, None]], 1)

    def step(self, action):
        switch = (action.float() != self.phase).float()
        self.phase = action.float()
        green = torch.stack([1 - self.phase, 1 - self.phase, self.phase, self.phase], 1)
        out = green * (2.0 - switch[:, None])
        self.queue = (self.queue + torch.poisson(self.rate) - out).clamp(0, 20)
        return self.obs(), -self.queue.sum(1) / 20
