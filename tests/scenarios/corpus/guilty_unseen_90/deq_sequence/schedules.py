class StepSchedule:
    def __init__(self, table):
        self.table = dict(sorted(table.items()))
        self.count = 0

    def tick(self):
        self.count += 1

    @property
    def value(self):
        current = None
        for start, v in self.table.items():
            if self.count >= start:
                current = v
        return current
