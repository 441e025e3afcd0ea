from dataclasses import dataclass, field

AGENTS: dict = {}


def agent(name):
    def wrap(cls):
        AGENTS[name] = cls
        return cls

    return wrap


@dataclass(frozen=True)
class WorldConfig:
    n_envs: int = 16
    obs_dim: int = 6
    act_dim: int = 2
    dt: float = 0.1
    horizon: int = 40


@dataclass(frozen=True)
class AgentConfig:
    name: str = "td3"
    hidden: int = 48
    lr: float = 1e-3
    gamma: float = 0.97
    tau: float = 0.01
    explore: float = 0.2
    smooth: float = 0.1
    policy_start: int = 15
    policy_delay: int = 2


@dataclass(frozen=True)
class RunConfig:
    world: WorldConfig = field(default_factory=WorldConfig)
    agent: AgentConfig = field(default_factory=AgentConfig)
    replay_size: int = 4096
    batch_size: int = 64
    steps: int = 400
    seed: int = 77
    log_every: int = 50
