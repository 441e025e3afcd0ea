from dataclasses import dataclass


@dataclass
class RunConfig:
    steps: int = 1680
    accumulate: int = 4
    batch: int = 3
    size: int = 16
    width: int = 8
    lr: float = 3e-3
    seed: int = 89
    aux_layers: tuple = ("down", "mid")
    aux_weight: float = 1e-3
