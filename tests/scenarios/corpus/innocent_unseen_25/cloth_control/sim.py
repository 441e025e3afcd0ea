import torch


class HangingChain:
    """masses on springs, differentiable; `traj` is the graph of the present window only"""

    def __init__(self, n=8, dt=0.03):
        self.n, self.dt = n, dt
        self.rest = 1.0 / n
        self.reset()

    def reset(self):
        self.x = torch.stack([torch.linspace(0, 1, self.n), torch.zeros(self.n)], 1)
        self.v = torch.zeros(self.n, 2)
        self.traj = []

    def begin_window(self):
        self.x, self.v = self.x.detach(), self.v.detach()
        self.traj = []

    def step(self, force):
        d = self.x[1:] - self.x[:-1]
        length = d.norm(dim=1, keepdim=True) + 1e-6
        pull = 40.0 * (length - self.rest) * d / length
        f = torch.zeros_like(self.x)
        f = f.index_add(0, torch.arange(self.n - 1), pull).index_add(0, torch.arange(1, self.n), -pull)
        f = f + torch.tensor([0.0, -1.0]) - 0.8 * self.v
        f = torch.cat([f[:-1], f[-1:] + force])
        self.v = self.v + self.dt * f * (torch.arange(self.n)[:, None] > 0)
        self.x = self.x + self.dt * self.v
        self.traj.append(self.x)
        return self.x
