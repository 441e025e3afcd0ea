import copy
import random

import torch


class SegmentMemory:
    def __init__(self, capacity):
        self.capacity = capacity
        self.segments = []

    def add(self, **seg):
        self.segments.append(seg)
        if len(self.segments) > self.capacity:
            self.segments.pop(0)

    def sample(self, k):
        return random.sample(self.segments, k)

    def __len__(self):
        return len(self.segments)


class RecurrentAgent:
    """Bookkeeping of hidden state, segments and target network."""

    def __init__(self, net, seg_len, capacity=40, warmup=12, tau=0.02):
        random.seed(0)
        self.net = net
        self.target = copy.deepcopy(net).requires_grad_(False)
        self.seg_len, self.warmup, self.tau = seg_len, warmup, tau
        self.memory = SegmentMemory(capacity)
        self.hidden = None
        self._open()

    def _open(self):
        self._buf = {"obs": [], "act": [], "rew": [], "done": []}
        self._start = self.hidden

    def record(self, obs, act, rew, done):
        for k, v in zip(self._buf, (obs, act, rew, done)):
            self._buf[k].append(v)
        if len(self._buf["obs"]) == self.seg_len:
            seg = {k: torch.stack(v) for k, v in self._buf.items()}
            h0 = self._start if self._start is not None else self.net.initial(obs.size(0))  # <- culprit
            self.memory.add(h0=h0, **seg)  # <- culprit
            self.hidden = self.hidden.detach()
            self._open()

    @torch.no_grad()
    def sync(self):
        for t, p in zip(self.target.parameters(), self.net.parameters()):
            t.lerp_(p, self.tau)
