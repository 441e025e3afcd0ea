class HorizonPlan:
    def __init__(self, first, last, hold):
        self.first, self.last, self.hold = first, last, hold

    def at(self, step):
        return min(self.last, self.first + step // self.hold)

    def weights(self, lead):
        raw = [0.9 ** k for k in range(lead)]
        return [r / sum(raw) for r in raw]
