class Schedule:
    def apply(self, trainer, step):
        raise NotImplementedError


class TemperatureSchedule(Schedule):
    def apply(self, trainer, step):
        trainer.scorer.temperature = max(0.3, 1.0 - step / 200)


class RefreshSchedule(Schedule):
    """After the warm-up the entity table moves slowly enough to be shared by several steps."""

    def __init__(self, warmup, every):
        self.warmup, self.every = warmup, every

    def apply(self, trainer, step):
        trainer.encoder.period = 1 if step < self.warmup else self.every  # <- culprit
