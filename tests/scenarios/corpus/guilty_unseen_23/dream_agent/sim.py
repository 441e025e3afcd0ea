from typing import NamedTuple

import torch


class Segment(NamedTuple):
    obs: torch.Tensor
    act: torch.Tensor
    reward: torch.Tensor


class TableSim:
    d_obs, d_act = 10, 3

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(6, self.d_obs, generator=self.g)
        self.push = torch.randn(self.d_act, 6, generator=self.g) * 0.3

    def segment(self, batch, length):
        s = torch.randn(batch, 6, generator=self.g)
        obs, act, rew = [], [], []
        for _ in range(length):
            a = torch.randn(batch, self.d_act, generator=self.g).clamp(-1, 1)
            s = 0.95 * s + a @ self.push
            obs.append(torch.sin(s @ self.mix))
            act.append(a)
            rew.append(-s[:, :2].square().sum(-1))
        return Segment(torch.stack(obs), torch.stack(act), torch.stack(rew))
