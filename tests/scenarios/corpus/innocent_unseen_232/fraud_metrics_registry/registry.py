from collections import deque

import torch


class MetricRegistry:
    def __init__(self, window):
        self.window = window
        self._series = {}
        self._ema = {}

    @torch.no_grad()
    def observe(self, name, value):
        series = self._series.setdefault(name, deque(maxlen=self.window))
        series.append(value.detach().clone())
        old = self._ema.get(name)
        self._ema[name] = value.clone() if old is None else 0.9 * old + 0.1 * value

    def render(self):
        parts = []
        for name, series in self._series.items():
            mean = torch.stack(list(series)).mean().item()
            parts.append(f"{name} mean={mean:.4f} ema={self._ema[name].item():.4f}")
        return " | ".join(parts)
