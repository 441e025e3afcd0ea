import torch


class DistrictStream:
    """Endless synthetic batches: weather/hour features and three kinds of target."""

    def __init__(self, batch, features):
        self.batch, self.features = batch, features
        g = torch.Generator().manual_seed(11)
        self.w_demand = torch.randn(features, generator=g)
        self.w_air = torch.randn(features, 3, generator=g)
        self.w_noise = torch.randn(features, generator=g) * 5.0
        self.g = g

    def __iter__(self):
        while True:
            x = torch.randn(self.batch, self.features, generator=self.g)
            yield x, {
                "demand": torch.tanh(x @ self.w_demand),
                "air": (x @ self.w_air).argmax(1),
                "noise": x @ self.w_noise + 40.0,
            }
