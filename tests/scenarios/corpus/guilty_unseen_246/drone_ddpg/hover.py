import torch


class HoverSim:
    """A fleet of planar drones that has to hold its place in the wind."""

    def __init__(self, fleet, dt=0.05):
        self.fleet = fleet
        self.dt = dt
        self.gen = torch.Generator().manual_seed(2)
        self.state = torch.zeros(fleet, 4)

    def reset(self):
        self.state = torch.randn(self.fleet, 4, generator=self.gen)
        return self.state.clone()

    def step(self, thrust):
        place, speed = self.state.split(2, dim=1)
        wind = 0.2 * torch.randn(self.fleet, 2, generator=self.gen)
        speed = 0.98 * speed + self.dt * (4.0 * thrust + wind)
        place = place + self.dt * speed
        self.state = torch.cat([place, speed], dim=1)
        reward = -place.norm(dim=1) - 0.1 * speed.norm(dim=1)
        return self.state.clone(), reward
