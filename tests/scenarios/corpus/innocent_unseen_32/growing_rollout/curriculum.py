from dataclasses import dataclass


@dataclass
class Curriculum:
    start: int
    every: int
    longest: int
    grow_at: tuple

    @property
    def total_steps(self):
        return self.every * (self.longest - self.start + 1)

    def horizon(self, step):
        return min(self.longest, self.start + step // self.every)

    def should_grow(self, step):
        return step in self.grow_at
