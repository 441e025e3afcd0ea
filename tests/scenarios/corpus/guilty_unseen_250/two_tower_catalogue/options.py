from dataclasses import dataclass


@dataclass
class RetrievalOptions:
    seed: int = 31
    tracks: int = 400
    audio_dim: int = 20
    listener_dim: int = 12
    embed: int = 24
    batch: int = 48
    steps: int = 100
    refresh_every: int = 4
    temperature: float = 0.1
    lr: float = 2e-3
