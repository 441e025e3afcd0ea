from dataclasses import dataclass, field


@dataclass(frozen=True)
class Stage:
    name: str
    windows: int
    batches_per_window: int


@dataclass
class Settings:
    seed: int = 1906
    grid: int = 14
    lr: float = 0.01
    rays: int = 32
    smooth: float = 0.02
    # coarse: every batch has its own time window; fine: several batches in a window
    stages: list = field(default_factory=lambda: [Stage("coarse", 70, 1), Stage("fine", 60, 4)])
