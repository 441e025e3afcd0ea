class SolverStats:
    def __init__(self):
        self.nfe = 0
        self.accepted = 0
        self.rejected = []

    def worst(self):
        if not self.rejected:
            return 0.0
        return max(e.item() for _, _, e in self.rejected)


class AdaptiveHeun:
    """Euler/Heun pair with step size control"""

    def __init__(self, rtol=1e-2, h0=0.25, h_min=0.05):
        self.rtol = rtol
        self.h0 = h0
        self.h_min = h_min
        self.stats = SolverStats()

    def _step(self, f, t, z, h):
        k1 = f(t, z)
        k2 = f(t + h, z + h * k1)
        self.stats.nfe += 2
        z_euler = z + h * k1
        z_heun = z + 0.5 * h * (k1 + k2)
        err = (z_heun - z_euler).abs().max()
        return z_heun, err

    def integrate(self, f, z, t0, t1):
        t = t0
        h = self.h0
        while t < t1 - 1e-6:
            h = min(h, t1 - t)
            z_new, err = self._step(f, t, z, h)
            if err > self.rtol and h > self.h_min:
                self.stats.rejected.append((t, h, err))  # <- culprit
                h = max(0.5 * h, self.h_min)
                continue
            self.stats.accepted += 1
            t = t + h
            z = z_new
            if err < 0.3 * self.rtol:
                h = 1.5 * h
        return z
