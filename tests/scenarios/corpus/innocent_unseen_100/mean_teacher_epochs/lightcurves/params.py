from dataclasses import dataclass


@dataclass
class Params:
    seed: int = 70
    length: int = 24
    classes: int = 3
    channels: int = 8
    epochs: int = 56
    steps: int = 6
    labelled: int = 8
    unlabelled: int = 16
    ema: float = 0.97
    weight: float = 0.5
    lr: float = 4e-3
