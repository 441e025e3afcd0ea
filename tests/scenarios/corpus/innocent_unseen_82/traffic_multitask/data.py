import torch


class Corridor:
    def __init__(self, cells, history=4):
        self.cells, self.history = cells, history
        self.x = torch.arange(cells).float()

    def windows(self, n):
        pos, speed = self.cells * torch.rand(n, 1, 1), -0.6 + 0.2 * torch.randn(n, 1, 1)
        t = torch.arange(self.history + 1).float()[None, :, None]
        jam = torch.exp(-((self.x - pos - speed * t) ** 2) / 6) * (torch.rand(n, 1, 1) + 0.3)
        dens = jam + 0.03 * torch.randn_like(jam)
        nxt = dens[:, -1]
        return {"past": dens[:, :-1], "speed": 1 - nxt, "flow": nxt * (1 - nxt), "incident": (nxt.amax(1) > 0.8).float()}
