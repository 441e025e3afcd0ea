import math

import torch


class ReverbStream:
    def __init__(self, rooms, batch, samples, seed, rate=8000):
        self.rooms = rooms
        self.batch = batch
        self.samples = samples
        self.gen = torch.Generator().manual_seed(seed)
        self.time = torch.arange(samples) / rate
        self.n_fft = 4 * rooms.length

    def _voice(self):
        pitch, rate, phase = torch.rand(3, generator=self.gen).tolist()
        f0 = 90 + 120 * pitch
        wave = sum(torch.sin(2 * math.pi * k * f0 * self.time) / k for k in range(1, 5))
        envelope = torch.sin(2 * math.pi * ((2 + 3 * rate) * self.time + phase)).clamp(min=0)
        return wave * envelope

    def _in_room(self, dry):
        spectrum = torch.fft.rfft(dry, n=self.n_fft) * self.rooms.random_response()
        return torch.fft.irfft(spectrum, n=self.n_fft)[: self.samples]

    def __iter__(self):
        while True:
            dry = torch.stack([self._voice() for _ in range(self.batch)])
            wet = torch.stack([self._in_room(d) for d in dry])
            yield wet, dry
