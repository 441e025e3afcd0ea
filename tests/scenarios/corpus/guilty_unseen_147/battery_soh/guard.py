class SpikeDetected(RuntimeError):
    def __init__(self, value: float, level: float) -> None:
        super().__init__(f"objective {value:.4f} over level {level:.4f}")
        self.value, self.level = value, level


class SpikeGuard:
    def __init__(self, ratio: float) -> None:
        self.ratio = ratio
        self.level = None

    def inspect(self, objective) -> None:
        value = objective.item()
        level = self.level if self.level is not None else value
        self.level = 0.4 * level + 0.6 * value
        if value > self.ratio * level:
            raise SpikeDetected(value, level)
