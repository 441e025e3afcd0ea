from dataclasses import dataclass, field


@dataclass
class CTRConfig:
    steps: int = 150
    tower: str = "deepfm"
    batch_size: int = 128
    seed: int = 11
    lr: float = 0.05
    emb_dim: int = 8
    cardinalities: list = field(default_factory=lambda: [500, 80, 24, 1200])
    n_campaigns: int = 40
    calib_momentum: float = 0.95
