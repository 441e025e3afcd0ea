from dataclasses import dataclass


@dataclass
class ContrastSettings:
    seed: int = 12
    songs: int = 400
    dim: int = 32
    length: int = 12
    batch: int = 32
    memory_batches: int = 8
    momentum: float = 0.99
    temperature: float = 0.15
    steps: int = 140
    lr: float = 0.05
