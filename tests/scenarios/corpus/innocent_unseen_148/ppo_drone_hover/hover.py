import torch


class HoverEnv:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.s = 0.5 * torch.randn(self.n, 4)
        return self.s.clone()

    def step(self, act):
        thrust = act.clamp(-1, 1)
        vel = self.s[:, 2:] + 0.1 * thrust
        pos = self.s[:, :2] + 0.1 * vel
        self.s = torch.cat([pos, vel], 1)
        rew = -pos.norm(dim=1) - 0.05 * thrust.square().sum(1)
        done = (pos.abs() > 2).any(1)
        self.s[done] = 0.5 * torch.randn(int(done.sum()), 4)
        return self.s.clone(), rew, done.float()
