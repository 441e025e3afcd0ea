"""Linear widening of the couplings' log-scale range."""


class GainRamp:
    def __init__(self, flow, start: int, stop: int, final: float):
        self.flow, self.start, self.stop, self.final = flow, start, stop, final

    def value(self, step: int) -> float:
        frac = min(max((step - self.start) / (self.stop - self.start), 0.0), 1.0)
        return 1.0 + frac * (self.final - 1.0)

    def __call__(self, step: int) -> None:
        gain = self.value(step)
        for layer in self.flow.layers:
            layer.gain = gain
