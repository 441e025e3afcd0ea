from dataclasses import dataclass


@dataclass
class RefreshSchedule:
    early: int
    late: int
    switch: int

    def due(self, it):
        period = self.early if it < self.switch else self.late
        return it % period == 0
