from dataclasses import dataclass, field


@dataclass
class ProbeConfig:
    dim: int = 24
    classes: int = 6
    batch: int = 64
    iters: int = 80
    report: int = 20
    lr: float = 0.1
    momentum: float = 0.9
    seed: int = 31
    stages: tuple = ("probe", "centering", "xent")
    backward: dict = field(default_factory=lambda: {"retain_graph": True})
