import torch


class StormRecord:
    """Synthetic storms with the discharge of a known catchment."""

    def __init__(self, n_events, steps, seed):
        gen = torch.Generator().manual_seed(seed)
        depth = torch.rand(n_events, steps, generator=gen)
        wet = (torch.rand(n_events, steps, generator=gen) < 0.4).float()
        self.rain = 8.0 * depth * wet
        self.flow = self._truth(gen)

    def _truth(self, gen):
        quick = torch.tensor(1.0)
        slow = torch.tensor(5.0)
        out = torch.zeros_like(self.rain)
        for e in range(self.rain.shape[0]):
            for t in range(self.rain.shape[1]):
                p = self.rain[e, t]
                quick = quick + 0.65 * p
                slow = slow + 0.35 * p
                q1 = 0.55 * quick
                q2 = 0.05 * slow
                quick = quick - q1
                slow = slow - q2
                out[e, t] = q1 + q2
        noise = torch.randn(out.shape, generator=gen)
        return (out + 0.05 * noise).clamp(min=0.0)

    def __len__(self):
        return self.rain.shape[0]

    def __getitem__(self, i):
        return self.rain[i], self.flow[i]
