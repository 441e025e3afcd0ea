class SilentUnits(ValueError):
    def __init__(self, n):
        super().__init__(f"{n} units without a spike in the batch")
        self.n = n


def fano_factor(counts):
    """Mean over units of variance by mean of the spike count; undefined for silent units."""
    mean = counts.mean(0)
    silent = int((mean == 0).sum())
    if silent:
        raise SilentUnits(silent)
    return float((counts.var(0) / mean).mean())
