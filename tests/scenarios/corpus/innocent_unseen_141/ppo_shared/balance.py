import torch


class Pole:
    def __init__(self, n):
        self.n = n

    def reset(self):
        self.s = torch.randn(self.n, 4) * 0.05
        return self.s.clone()

    def move(self, act):
        x, v, th, w = self.s.unbind(1)
        push = act.float() * 2 - 1
        w = w + 0.1 * (9.8 * th.sin() - push * th.cos())
        v = v + 0.1 * push
        self.s = torch.stack([x + 0.1 * v, v, th + 0.1 * w, w], 1)
        alive = (self.s[:, 2].abs() < 0.6) & (self.s[:, 0].abs() < 3)
        fresh = torch.randn(self.n, 4) * 0.05
        self.s = torch.where(alive[:, None], self.s, fresh)
        return self.s.clone(), alive.float(), alive.float()
