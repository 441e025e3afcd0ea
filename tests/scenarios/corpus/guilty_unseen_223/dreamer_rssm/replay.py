import torch


class EpisodeReplay:
    """Serves consecutive chunks of stored episodes; several episodes to a batch."""

    def __init__(self, n_episodes, length, chunk, obs_dim, act_dim, seed):
        g = torch.Generator().manual_seed(seed)
        self.chunk = chunk
        self.length = length
        t = torch.arange(length).float()[None, :, None]
        freq = 0.1 + 0.3 * torch.rand(n_episodes, 1, obs_dim, generator=g)
        self.obs = torch.sin(freq * t)
        self.act = torch.randn(n_episodes, length, act_dim, generator=g)
        self.cursor = [0] * n_episodes

    def batches(self, n, size):
        n_ep = self.obs.size(0)
        for k in range(n):
            ids = [(k * size + j) % n_ep for j in range(size)]
            first = [self.cursor[e] == 0 for e in ids]
            obs = torch.stack([self.obs[e, self.cursor[e]:self.cursor[e] + self.chunk] for e in ids])
            act = torch.stack([self.act[e, self.cursor[e]:self.cursor[e] + self.chunk] for e in ids])
            for e in ids:
                self.cursor[e] = (self.cursor[e] + self.chunk) % self.length
            yield ids, first, obs, act
