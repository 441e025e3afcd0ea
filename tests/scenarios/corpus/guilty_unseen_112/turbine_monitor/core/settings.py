from dataclasses import dataclass, field


@dataclass
class Settings:
    rounds: int = 300
    batch: int = 24
    lr: float = 2e-3
    seed: int = 9
    backward: dict = field(default_factory=lambda: {"retain_graph": True})  # <- culprit
