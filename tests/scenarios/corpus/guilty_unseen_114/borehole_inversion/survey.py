import torch


class Survey:
    """Synthetic logs; every so often a tool sticks and the log is unusable."""

    def __init__(self, n_layers, depth_points, seed):
        self.n_layers, self.depth_points = n_layers, depth_points
        self.gen = torch.Generator().manual_seed(seed)
        self.conductivity = 1.5 + 2 * torch.rand(n_layers, generator=self.gen)

    def logs(self, count):
        for _ in range(count):
            flux = 0.8 + 0.4 * torch.rand(1, generator=self.gen)
            per_layer = self.depth_points // self.n_layers
            gradient = (flux / self.conductivity).repeat_interleave(per_layer)
            temp = torch.cumsum(gradient, 0) + 0.05 * torch.randn(self.depth_points, generator=self.gen)
            if torch.rand(1, generator=self.gen).item() < 0.3:
                stuck = int(torch.randint(5, 30, (1,), generator=self.gen))
                temp[stuck:] = temp[stuck]
            yield flux, temp
