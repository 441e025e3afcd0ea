from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    nodes: int = 20
    feat: int = 4
    mem: int = 8
    batch: int = 6
    events: int = 1080
    lr: float = 3e-3
    decay: float = 0.05
    seed: int = 17
    bptt: bool = True
