import torch


class Crane:
    obs_dim = 4

    def reset(self):
        self.t = 0
        self.s = torch.tensor([1.0 + float(torch.rand(())), 0.0, 0.0, 0.0])
        return self.s.clone()

    def step(self, a):
        x, v, th, om = self.s.tolist()
        f = float(a)
        v += 0.1 * (f - 0.2 * v)
        x += 0.1 * v
        om += 0.1 * (-2 * th - f - 0.1 * om)
        th += 0.1 * om
        self.s = torch.tensor([x, v, th, om])
        self.t += 1
        return self.s.clone(), -(x * x + 0.5 * th * th), self.t >= 40
