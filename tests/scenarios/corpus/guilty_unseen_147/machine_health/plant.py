import torch


class Plant:
    def __init__(self, units):
        self.units = list(units)
        self._clock = {u: 0 for u in self.units}
        self._freq = {u: 0.1 + 0.07 * i for i, u in enumerate(self.units)}

    def chunk(self, unit, length=6):
        t0 = self._clock[unit]
        self._clock[unit] += length
        t = torch.arange(t0, t0 + length + 1, dtype=torch.float32)
        wave = torch.stack([torch.sin(self._freq[unit] * t), torch.cos(2 * self._freq[unit] * t)], -1)
        wave = wave + 0.05 * torch.randn_like(wave)
        return wave[None, :-1], wave[None, 1:]
