from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    seed: int = 5
    length: int = 40
    batch: int = 32
    dim: int = 16
    tau: float = 0.2
    momentum: float = 0.95
    memory_batches: int = 4
    memory_from: int = 30
    iters: int = 150
    lr: float = 2e-3


CONFIG = Config()
