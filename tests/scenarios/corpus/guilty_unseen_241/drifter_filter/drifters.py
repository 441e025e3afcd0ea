import torch


class DrifterFleet:
    """Yields legs of position fixes; a new voyage starts with `fresh=True`."""

    def __init__(self, seed, n, legs, fixes_per_leg):
        self.rng = torch.Generator().manual_seed(seed)
        self.n = n
        self.legs = legs
        self.fixes_per_leg = fixes_per_leg

    def _deploy(self):
        pos = torch.randn(self.n, 2, generator=self.rng)
        vel = 0.1 * torch.randn(self.n, 2, generator=self.rng)
        return pos, vel

    def _drift(self, pos, vel):
        swirl = torch.stack([-pos[:, 1], pos[:, 0]], dim=1)
        vel = 0.95 * vel + 0.03 * swirl + 0.02 * torch.randn(self.n, 2, generator=self.rng)
        return pos + vel, vel

    def voyage(self):
        pos, vel = self._deploy()
        for leg in range(self.legs):
            truth = []
            fixes = []
            for _ in range(self.fixes_per_leg):
                pos, vel = self._drift(pos, vel)
                truth.append(pos)
                fixes.append(pos + 0.2 * torch.randn(self.n, 2, generator=self.rng))
            yield torch.stack(fixes), torch.stack(truth), leg == 0
