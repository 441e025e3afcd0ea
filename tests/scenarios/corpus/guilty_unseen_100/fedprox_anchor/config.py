from dataclasses import dataclass, field


@dataclass
class NetConfig:
    d_in: int = 12
    hidden: int = 24
    classes: int = 4


@dataclass
class PenaltyConfig:
    name: str = "moving_prox"
    strength: float = 0.05
    momentum: float = 0.95


@dataclass
class RunConfig:
    seed: int = 17
    rounds: int = 200
    batch: int = 32
    clients: int = 5
    lr: float = 0.03
    net: NetConfig = field(default_factory=NetConfig)
    penalty: PenaltyConfig = field(default_factory=PenaltyConfig)
