import torch


class Scene:
    def __init__(self, people, dim, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.looks = torch.randn(people, dim, generator=self.gen)

    def frame(self, views):
        ids = torch.arange(len(self.looks)).repeat_interleave(views)
        noise = torch.randn(len(ids), self.looks.shape[1], generator=self.gen)
        return self.looks[ids] + 0.8 * noise, ids
