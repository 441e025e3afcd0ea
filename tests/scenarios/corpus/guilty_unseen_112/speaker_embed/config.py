from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    n_speakers: int = 24
    n_feats: int = 20
    frames: int = 30
    embed: int = 32
    margin: float = 0.2
    scale: float = 12.0
    centre_weight: float = 0.05
    lr: float = 0.02
    batch: int = 32
    iters: int = 40
    epochs: int = 6
    seed: int = 404
