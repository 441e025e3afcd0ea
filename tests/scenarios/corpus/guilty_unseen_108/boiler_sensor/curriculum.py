class Curriculum(list):
    """A list of (mode, steps); iterating gives (mode, share of own outputs, step)."""

    SHARE = {"teacher": (0.0, 0.0), "mixed": (0.2, 0.8), "free": (1.0, 1.0)}

    def __iter__(self):
        step = 0
        for mode, n in super().__iter__():
            lo, hi = self.SHARE[mode]
            for k in range(n):
                yield mode, lo + (hi - lo) * k / max(n - 1, 1), step
                step += 1
