from dataclasses import dataclass, field


@dataclass(frozen=True)
class ProxConfig:
    weight: float = 0.2
    rate: float = 0.1
    start_step: int = 60


@dataclass(frozen=True)
class RunConfig:
    seed: int = 7
    depots: int = 6
    features: int = 10
    hidden: int = 24
    lr: float = 0.02
    batch: int = 32
    steps_per_epoch: int = 30
    epochs: int = 12
    prox: ProxConfig = field(default_factory=ProxConfig)
