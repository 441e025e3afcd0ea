from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    seed: int = 5
    n_robots: int = 6
    n_sensors: int = 10
    width: int = 20
    ticks: int = 260
    lr: float = 2e-3
    keep_buffers: bool = True
    report_every: int = 65


def load_settings(**over):
    return Settings(**over)
