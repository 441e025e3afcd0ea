import torch


class Stations:
    def __init__(self, hours, periods=(12.42, 12.0, 25.8, 23.9)):
        self.hours = hours
        self.omega = 2 * torch.pi / torch.tensor(periods)
        self.t = torch.arange(hours + 6).float()

    def draw(self, count):
        amp = torch.rand(count, len(self.omega), 1)
        phase = 6.28 * torch.rand(count, len(self.omega), 1)
        tide = (amp * torch.cos(self.omega[:, None] * self.t + phase)).sum(1)
        tide = tide + 0.05 * torch.randn_like(tide)
        return tide[:, :self.hours].contiguous(), tide[:, self.hours:].contiguous()
