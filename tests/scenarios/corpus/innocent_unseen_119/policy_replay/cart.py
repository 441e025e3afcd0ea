import torch


class Cart:
    """Differentiable dynamics (the reward is a tensor with a graph back to the action)."""
    dt, g, l, mc, mp = 0.05, 9.8, 0.5, 1.0, 0.1

    def reset(self):
        self.n = 0
        self.s = 0.05 * torch.randn(4)
        return self.s

    def step(self, a):
        x, v, th, w = self.s.detach().unbind()
        f = 6.0 * torch.tanh(a[0])
        tmp = (f + self.mp * self.l * w ** 2 * torch.sin(th)) / (self.mc + self.mp)
        wd = (self.g * torch.sin(th) - torch.cos(th) * tmp) / (self.l * (4 / 3 - self.mp * torch.cos(th) ** 2 / (self.mc + self.mp)))
        vd = tmp - self.mp * self.l * wd * torch.cos(th) / (self.mc + self.mp)
        self.s = torch.stack([x + self.dt * v, v + self.dt * vd, th + self.dt * w, w + self.dt * wd])
        self.n += 1
        r = -(self.s[2] ** 2) - 0.1 * self.s[0] ** 2 - 1e-3 * f ** 2 + 0.1
        done = bool(self.s[2].abs() > 0.6) or bool(self.s[0].abs() > 2.4) or self.n >= 60
        return self.s, r, done
