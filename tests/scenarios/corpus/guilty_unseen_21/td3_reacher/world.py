import torch


class ReacherBatch:
    """Point masses with drag that should come to rest at their goals."""

    def __init__(self, cfg, seed):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.reset()

    def reset(self):
        n = self.cfg.n_envs
        self.pos = torch.rand(n, 2, generator=self.gen) * 2 - 1
        self.vel = torch.zeros(n, 2)
        self.goal = torch.rand(n, 2, generator=self.gen) * 2 - 1
        self.clock = 0

    def observe(self):
        return torch.cat([self.pos, self.vel, self.goal], -1)

    def advance(self, action):
        self.vel = 0.95 * self.vel + self.cfg.dt * action
        self.pos = self.pos + self.cfg.dt * self.vel
        reward = -(self.pos - self.goal).norm(dim=-1) - 0.01 * action.pow(2).sum(-1)
        nxt = self.observe()
        self.clock += 1
        if self.clock >= self.cfg.horizon:
            self.reset()
        return reward, nxt
