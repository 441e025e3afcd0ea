from dataclasses import dataclass, field, replace


@dataclass
class GraphCfg:
    entities: int = 40
    relations: int = 5
    edges: int = 160


@dataclass
class ModelCfg:
    dim: int = 16
    layers: int = 2
    scorer: str = "distmult"


@dataclass
class TrainCfg:
    steps: int = 300
    batch: int = 32
    lr: float = 1e-2
    negatives: int = 4


@dataclass
class Cfg:
    seed: int = 3
    graph: GraphCfg = field(default_factory=GraphCfg)
    model: ModelCfg = field(default_factory=ModelCfg)
    train: TrainCfg = field(default_factory=TrainCfg)


def load(overrides):
    cfg = Cfg()
    for section, values in overrides.items():
        setattr(cfg, section, replace(getattr(cfg, section), **values))
    return cfg
