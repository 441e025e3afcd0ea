import torch


class RainSeries:
    """Daily forcing (rain today, rain lags, temperature) and noisy spring discharge."""

    n_features = 5

    def __init__(self, n_springs, days, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.n_springs = n_springs
        self.days = days

    def __iter__(self):
        lag1 = torch.zeros(self.n_springs)
        lag2 = torch.zeros(self.n_springs)
        base = torch.full((self.n_springs,), 0.8)
        area = 0.5 + torch.rand(self.n_springs, generator=self.gen)
        for day in range(self.days):
            wet = (torch.rand(self.n_springs, generator=self.gen) < 0.3).float()
            rain = wet * torch.rand(self.n_springs, generator=self.gen) * 2
            temp = 0.5 + 0.5 * torch.sin(torch.tensor(day / 58.0)).expand(self.n_springs)
            base = 0.93 * base + 0.12 * area * rain * (1 - 0.3 * temp)
            noise = 0.02 * torch.randn(self.n_springs, generator=self.gen)
            observed = base + 0.4 * rain + 0.15 * lag1 + noise
            yield torch.stack([rain, lag1, lag2, temp, area], 1), observed
            lag1, lag2 = rain, lag1
