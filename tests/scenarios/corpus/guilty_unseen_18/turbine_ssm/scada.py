import torch


class ScadaStream:
    """Wind as a slow autoregression, power as a clipped cube of it, and a few correlated signals."""

    def __init__(self, turbines, window, seed=9):
        self.turbines, self.window = turbines, window
        self.gen = torch.Generator().manual_seed(seed)
        self.wind = torch.full((turbines,), 8.0)

    def _noise(self, *shape):
        return torch.randn(*shape, generator=self.gen)

    def __iter__(self):
        last = torch.zeros(self.turbines, 5)
        while True:
            rows = [last]
            for _ in range(self.window):
                self.wind = 8.0 + 0.97 * (self.wind - 8.0) + 0.5 * self._noise(self.turbines)
                power = ((self.wind - 3).clamp(0, 9) / 9) ** 3
                pitch = (self.wind - 11).clamp(min=0)
                rows.append(torch.stack([
                    self.wind / 10, power, pitch / 5,
                    power + 0.05 * self._noise(self.turbines), 0.3 * self._noise(self.turbines),
                ], dim=-1))
            last = rows[-1]
            record = torch.stack(rows, dim=1)
            yield record[:, :-1], record[:, 1:, 1]
