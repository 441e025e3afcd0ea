from dataclasses import dataclass


@dataclass
class AgentSpec:
    seed: int = 9
    ticks: int = 360
    hidden: int = 12
    actions: int = 3
    gamma: float = 0.9
    batch: int = 16
    lr: float = 5e-3
    tau: float = 0.05
    noise: float = 0.05
