import torch


class Replay:
    """Everything ever seen; observations and return targets."""

    def __init__(self):
        self.obs, self.ret = [], []

    def __len__(self):
        return len(self.obs)

    def store(self, obs, ret):
        self.obs.extend(obs)
        self.ret.extend(ret.detach())

    def draw(self, n):
        idx = torch.randint(0, len(self.obs), (n,)).tolist()
        return torch.stack([self.obs[i] for i in idx]), torch.stack([self.ret[i] for i in idx])
