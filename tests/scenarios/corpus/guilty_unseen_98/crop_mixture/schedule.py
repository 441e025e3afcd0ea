class TemperatureSchedule:
    def __init__(self, warmup, floor, rate):
        self.warmup, self.floor, self.rate = warmup, floor, rate

    def at(self, step):
        if step < self.warmup:
            return None
        return max(self.floor, self.rate ** (step - self.warmup + 1))
