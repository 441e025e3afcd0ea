from dataclasses import dataclass


@dataclass
class LengthPlan:
    first: int
    limit: int
    every: int

    def length(self, update):
        return min(self.limit, self.first + update // self.every)
