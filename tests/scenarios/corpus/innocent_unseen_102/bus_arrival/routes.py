import torch


class RouteSimulator:
    def __init__(self, n_routes):
        self.base = torch.randn(n_routes)
        self.rush = torch.rand(n_routes)
        self.rain = torch.rand(n_routes) * 0.5
        self.noise = 0.2 + torch.rand(n_routes)

    def trips(self, route, n):
        x = torch.rand(n, 3)  # hour of day, rain, load
        peak = torch.exp(-((x[:, 0] - 0.35) / 0.1) ** 2)
        d = self.base[route] + 2 * self.rush[route] * peak + self.rain[route] * x[:, 1]
        return x, d + self.noise[route] * torch.randn(n)
