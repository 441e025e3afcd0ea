import torch


class Timetable:
    n_features = 6

    def __init__(self, lines, days):
        n = lines * days * 4
        self.line = torch.randint(0, lines, (n,))
        hour = torch.rand(n) * 24
        rain = (torch.rand(n) < 0.3).float()
        load = torch.rand(n)
        self.x = torch.stack([torch.sin(hour / 3.82), torch.cos(hour / 3.82), rain, load,
                              rain * load, torch.ones(n)], 1)
        base = torch.randn(lines)
        noise = torch.distributions.Laplace(0., 0.4).sample((n,))
        self.delay = base[self.line] + 1.5 * load * (1 + rain) + noise

    def batches(self, epoch, size=36):
        g = torch.Generator().manual_seed(epoch)
        order = torch.randperm(len(self.x), generator=g)
        for part in order.split(size):
            yield self.line[part], self.x[part], self.delay[part]
