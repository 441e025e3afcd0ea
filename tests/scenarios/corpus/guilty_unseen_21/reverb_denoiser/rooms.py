"""Room impulse responses. Building one needs noise, a decay and a transform, so they are kept."""
import torch


class RoomBank:
    def __init__(self, length, seed, rate=8000):
        self.length = length
        self.rate = rate
        self.gen = torch.Generator().manual_seed(seed)
        self._responses = {}

    def response(self, rt60, direct):
        key = (rt60, direct)
        if key not in self._responses:
            self._responses[key] = self._simulate(rt60, direct)  # <- culprit
        return self._responses[key]

    def random_response(self):
        rt60, direct = torch.rand(2, generator=self.gen).tolist()
        return self.response(0.15 + 0.6 * rt60, 0.3 + 0.7 * direct)  # <- culprit

    def _simulate(self, rt60, direct):
        t = torch.arange(self.length) / self.rate
        tail = torch.randn(self.length, generator=self.gen) * torch.exp(-6.9 * t / rt60)
        tail = tail / tail.norm()
        tail[0] = tail[0] + direct
        return torch.fft.rfft(tail, n=4 * self.length)
