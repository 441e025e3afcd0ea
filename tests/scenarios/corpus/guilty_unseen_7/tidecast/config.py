from dataclasses import dataclass


@dataclass
class Opt:
    lr: float = 2e-3
    keep_graph: bool = True  # two heads read the same trunk


@dataclass
class Job:
    stations: int = 24
    lags: int = 48
    ahead: int = 6
    width: int = 40
    batch: int = 32
    steps: int = 300
    momentum: float = 0.05
    seed: int = 17
    opt: Opt = None

    def __post_init__(self):
        self.opt = self.opt or Opt()
