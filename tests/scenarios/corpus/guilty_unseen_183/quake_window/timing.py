class StepClock:
    def __init__(self):
        self.now = 0

    def tick(self):
        self.now += 1


def make_clock():
    return StepClock()
