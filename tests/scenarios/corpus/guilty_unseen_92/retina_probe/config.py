from dataclasses import dataclass, field


@dataclass(frozen=True)
class ProbeConfig:
    kinds: tuple[str, ...] = ("Conv2d",)


@dataclass(frozen=True)
class RunConfig:
    seed: int = 2
    epochs: int = 9
    batch: int = 8
    patches: int = 240
    lr: float = 4e-3
    validate_every: int = 50
    probe: ProbeConfig = field(default_factory=ProbeConfig)
