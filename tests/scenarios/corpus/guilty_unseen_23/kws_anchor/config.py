from dataclasses import dataclass, field


@dataclass
class PluginSpec:
    name: str
    options: dict = field(default_factory=dict)


@dataclass
class RunConfig:
    seed: int = 3
    steps: int = 180
    batch: int = 32
    n_mels: int = 40
    frames: int = 49
    width: int = 48
    n_words: int = 12
    lr: float = 2e-3
    plugins: list = field(default_factory=lambda: [
        PluginSpec("proximal", {"decay": 0.98, "strength": 0.02}),
        PluginSpec("progress", {"every": 30}),
    ])
