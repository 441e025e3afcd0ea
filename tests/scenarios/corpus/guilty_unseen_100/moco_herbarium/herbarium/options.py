from dataclasses import dataclass


@dataclass
class Options:
    seed: int = 12
    n_pix: int = 36
    dim: int = 12
    batch: int = 16
    slots: int = 64
    queue_from: int = 25
    iters: int = 250
    momentum: float = 0.98
    temp: float = 0.2
    lr: float = 0.02
