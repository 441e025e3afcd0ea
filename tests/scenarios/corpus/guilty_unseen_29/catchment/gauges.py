import torch


class GaugeSeries:
    def __init__(self, days, cells):
        self.cells = cells
        self.rain = torch.relu(torch.randn(days, cells) + 0.2) * 5
        s = self.initial_storage()
        flow = []
        for p in self.rain:
            q = 0.45 * s
            s = s + 0.6 * p - q
            flow.append(q.mean())
        self.flow = torch.stack(flow) + 0.02 * torch.randn(days)

    def initial_storage(self):
        return torch.full((self.cells,), 2.0)
