from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    seed: int = 3
    steps: int = 450
    batch: int = 16
    horizon: int = 6
    obs_dim: int = 4
    act_dim: int = 2
    deter: int = 32
    stoch: int = 8
    lr: float = 6e-4
    clip: float = 100.0
    kl_scale: float = 0.3
    reward_scale: float = 1.0
    free_nats: float = 0.5
    print_every: int = 50
