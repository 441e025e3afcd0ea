import torch


class DemoBuffer:
    def __init__(self, count, obs=12, act=4, seed=19):
        self.gen = torch.Generator().manual_seed(seed)
        self.obs = torch.randn(count, obs, generator=self.gen)
        expert = torch.randn(obs, act, generator=self.gen) / obs ** 0.5
        self.act = torch.tanh(self.obs @ expert)

    def minibatch(self, n):
        idx = torch.randint(0, len(self.obs), (n,), generator=self.gen)
        return self.obs[idx], self.act[idx]
