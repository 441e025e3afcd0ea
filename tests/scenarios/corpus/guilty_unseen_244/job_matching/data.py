from typing import Iterator

import torch

from settings import MatchSettings


class ApplicationFeed:
    def __init__(self, settings: MatchSettings) -> None:
        self.s = settings
        self.gen = torch.Generator().manual_seed(settings.seed + 1)
        self.vacancies = torch.randn(settings.vacancies, settings.vacancy_features, generator=self.gen)
        self.bridge = torch.randn(settings.skills, settings.vacancy_features, generator=self.gen)

    def batches(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        for _ in range(self.s.steps):
            skills = (torch.rand(self.s.batch, self.s.skills, generator=self.gen) < 0.25).float()
            fit = skills @ self.bridge @ self.vacancies.T
            fit = fit + 2.0 * torch.randn(fit.shape, generator=self.gen)
            yield skills, fit.argmax(dim=1)
