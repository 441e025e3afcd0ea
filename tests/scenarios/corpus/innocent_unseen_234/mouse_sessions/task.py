import torch


class GoNoGo:
    def __init__(self, n_steps, batch, seed):
        self.n_steps = n_steps
        self.batch_size = batch
        self.gen = torch.Generator().manual_seed(seed)

    def batch(self):
        go = (torch.rand(self.batch_size, generator=self.gen) < 0.5).float()
        x = 0.3 * torch.randn(self.n_steps, self.batch_size, 2, generator=self.gen)
        x[1:4, :, 0] += go
        x[1:4, :, 1] += 1.0 - go
        return x, go
