from typing import NamedTuple

import torch


class Chunk(NamedTuple):
    obs: torch.Tensor
    act: torch.Tensor
    is_first: bool


class EpisodeStore:
    obs_dim, act_dim = 4, 2

    def __init__(self, seed, chunk_len, batch=16):
        self.gen = torch.Generator().manual_seed(seed)
        self.chunk_len, self.batch = chunk_len, batch

    def episode(self, chunks):
        pos = 2 * torch.rand(self.batch, 2, generator=self.gen) - 1
        vel = 0.3 * torch.randn(self.batch, 2, generator=self.gen)
        obs, acts = [], []
        for _ in range(chunks * self.chunk_len):
            act = 0.1 * torch.randn(self.batch, 2, generator=self.gen)
            vel = vel + act
            pos = pos + 0.1 * vel
            vel = torch.where(pos.abs() > 1, -vel, vel)
            pos = pos.clamp(-1, 1)
            obs.append(torch.cat([pos, vel], dim=-1))
            acts.append(act)
        obs, acts = torch.stack(obs), torch.stack(acts)
        for i, (o, a) in enumerate(zip(obs.split(self.chunk_len), acts.split(self.chunk_len))):
            yield Chunk(o, a, is_first=(i == 0))

    def replay(self, prefill, scripted):
        for _ in range(prefill):
            yield self.episode(1)
        for _ in range(scripted):
            yield self.episode(3)
