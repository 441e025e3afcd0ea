from dataclasses import dataclass


@dataclass(frozen=True)
class Stage:
    name: str
    steps: int
    sharpness: float


class Curriculum:
    def __init__(self, stages):
        self.stages = list(stages)

    def __iter__(self):
        step = 0
        for stage in self.stages:
            for _ in range(stage.steps):
                yield stage, step
                step += 1
