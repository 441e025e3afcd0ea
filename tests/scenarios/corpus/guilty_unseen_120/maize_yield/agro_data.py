import torch


class PlotTrials:
    def __init__(self, n_plots, n_fields, weeks):
        self.n_fields = n_fields
        self.weather = torch.randn(n_plots, 4, weeks)
        self.soil = torch.rand(n_plots, 5)
        self.field = torch.randint(0, n_fields, (n_plots,))
        effect = torch.randn(n_fields) * 0.4
        self.tons = (
            8.0
            + 1.5 * self.weather[:, 0, 6:12].mean(1)
            - self.weather[:, 1, 10:].mean(1)
            + 2.0 * self.soil[:, 2]
            + effect[self.field]
            + 0.1 * torch.randn(n_plots)
        )

    def batches(self, size):
        order = torch.randperm(len(self.tons))
        for chunk in order.split(size):
            yield self.weather[chunk], self.soil[chunk], self.field[chunk], self.tons[chunk]
