from dataclasses import dataclass


@dataclass
class Config:
    n_mels: int = 20
    hidden: int = 32
    n_keywords: int = 6
    frames: int = 4
    streams: int = 8
    steps: int = 80
    lr: float = 1e-3
    clip: float = 1.0
