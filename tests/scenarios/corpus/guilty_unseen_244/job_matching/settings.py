from dataclasses import dataclass


@dataclass(frozen=True)
class MatchSettings:
    vacancies: int = 300
    vacancy_features: int = 28
    skills: int = 36
    dim: int = 16
    batch: int = 48
    steps: int = 100
    refresh_every: int = 5
    temperature: float = 0.1
    lr: float = 3e-3
    seed: int = 88
