from dataclasses import dataclass


@dataclass(frozen=True)
class FilterConfig:
    cell: str = "leaky"
    channels: int = 3
    units: int = 12
    lr: float = 2e-3
    steps: int = 400
    rows: int = 8
    seed: int = 17
