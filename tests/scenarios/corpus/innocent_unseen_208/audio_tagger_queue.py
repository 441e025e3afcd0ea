# gradwatch-corpus: kind=none
"""Contrastive audio pre-training: key queue, sharpness-aware second pass, weight snapshots."""
import copy
import math
from collections import OrderedDict, deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class RunConfig:
    n_fft: int = 64
    clip: int = 640
    batch: int = 16
    dim: int = 16
    queue: int = 256
    temperature: float = 0.15
    rho: float = 0.02
    momentum: float = 0.98
    steps: int = 410
    seed: int = 29


class Clips:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)

    def __iter__(self):
        t = torch.arange(self.cfg.clip) / 4000
        while True:
            f = 150 + 1500 * torch.rand(self.cfg.batch, 2, 1, generator=self.gen)
            wave = torch.sin(2 * math.pi * f * t).sum(1)
            yield self.perturb(wave), self.perturb(wave)

    def perturb(self, wave):
        gain = 0.5 + torch.rand(wave.size(0), 1, generator=self.gen)
        return gain * wave + 0.2 * torch.randn(wave.shape, generator=self.gen)


class Tagger(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.n_fft = cfg.n_fft
        self.register_buffer("window", torch.hann_window(cfg.n_fft))
        bins = cfg.n_fft // 2 + 1
        self.body = nn.Sequential(nn.Linear(bins, 32), nn.GELU(), nn.Linear(32, cfg.dim))

    def forward(self, wave):
        spec = torch.stft(wave, self.n_fft, hop_length=32, window=self.window, return_complex=True)
        return F.normalize(self.body(spec.abs().log1p().mean(-1)), dim=-1)


class SharpnessAware:
    def __init__(self, params, base, rho):
        self.params, self.base, self.rho = list(params), base, rho
        self.shift = []

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        self.shift = [p.grad * (self.rho / norm) for p in self.params]
        for p, e in zip(self.params, self.shift):
            p.add_(e)
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p, e in zip(self.params, self.shift):
            p.sub_(e)
        self.base.step()
        self.base.zero_grad()


class KeyQueue:
    def __init__(self, size):
        self.blocks = deque()
        self.size, self.count = size, 0

    def push(self, keys):
        self.blocks.append(keys)
        self.count += len(keys)
        while self.count > self.size:
            self.count -= len(self.blocks.popleft())

    def tensor(self):
        return torch.cat(tuple(self.blocks))


def info_nce(q, k, negatives, temperature):
    logits = torch.cat([(q * k).sum(-1, keepdim=True), q @ negatives.T], 1) / temperature
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def main():
    cfg = RunConfig()
    torch.manual_seed(cfg.seed)
    query = Tagger(cfg)
    key = copy.deepcopy(query).requires_grad_(False)
    sam = SharpnessAware(query.parameters(), torch.optim.SGD(query.parameters(), lr=0.1, momentum=0.9), cfg.rho)
    queue = KeyQueue(cfg.queue)
    queue.push(F.normalize(torch.randn(cfg.queue, cfg.dim), dim=-1))
    snapshots, recent, log = OrderedDict(), deque(maxlen=40), []
    for step, (a, b) in zip(range(cfg.steps), Clips(cfg)):
        k = key(b)
        negatives = queue.tensor()
        first = info_nce(query(a), k, negatives, cfg.temperature)
        first.backward()
        sam.climb()
        second = info_nce(query(a), k, negatives, cfg.temperature)
        second.backward()
        sam.descend()
        queue.push(k)
        for pk, pq in zip(key.parameters(), query.parameters()):
            pk.data.lerp_(pq.data, 1 - cfg.momentum)
        recent.append((first.detach(), second.detach()))
        log.append((second - first).item())
        if step % 50 == 0:
            snapshots[step] = {n: p.detach().clone() for n, p in query.named_parameters()}
            while len(snapshots) > 3:
                snapshots.popitem(last=False)
            loss = sum(f.item() for f, _ in recent) / len(recent)
            print(f"step {step}: nce {loss:.3f} sharpness {sum(log[-40:]) / len(log[-40:]):+.4f}")


if __name__ == "__main__":
    main()
