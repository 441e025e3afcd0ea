from dataclasses import dataclass


@dataclass
class Recipe:
    seed: int = 55
    residues: int = 20
    states: int = 3
    dim: int = 14
    micro: int = 4
    accumulate: int = 2
    updates: int = 310
    lr: float = 4e-3
