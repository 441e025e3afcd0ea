class SimClock:
    def __init__(self, tick):
        self.tick = tick
        self.now = 0.0

    def advance(self):
        self.now += self.tick
        return self.now
