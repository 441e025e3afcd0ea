from dataclasses import dataclass, field


@dataclass(frozen=True)
class GraphConfig:
    n_entities: int = 600
    n_relations: int = 5
    n_triples: int = 6_000
    # entities that may stand as the tail of a relation
    tails_per_relation: tuple = (400, 300, 500, 250, 6)


@dataclass(frozen=True)
class ObjectiveConfig:
    margin: float = 1.0
    n_candidates: int = 24
    min_hard: int = 8


@dataclass(frozen=True)
class RunConfig:
    graph: GraphConfig = field(default_factory=GraphConfig)
    objective: ObjectiveConfig = field(default_factory=ObjectiveConfig)
    scorer: str = "distmult"
    dim: int = 32
    batch_size: int = 64
    steps: int = 300
    lr: float = 0.1
    seed: int = 8
    log_every: int = 60
