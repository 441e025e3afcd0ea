class RefreshSchedule:
    def __init__(self, period):
        self.period = period
        self.refreshes = 0

    def due(self, step):
        if step % self.period:
            return False
        self.refreshes += 1
        return True
