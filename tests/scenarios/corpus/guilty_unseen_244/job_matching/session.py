from __future__ import annotations

import copy

import torch
from torch.nn import functional as F

from settings import MatchSettings
from towers import Tower, VacancyCatalog


class MatchSession:
    def __init__(self, settings: MatchSettings, vacancies: torch.Tensor) -> None:
        self.s = settings
        self.candidate_tower = Tower(settings.skills, settings.dim)
        self.vacancy_tower = Tower(settings.vacancy_features, settings.dim)
        self.catalog = VacancyCatalog(self.vacancy_tower, vacancies, settings.refresh_every)
        params = [*self.candidate_tower.parameters(), *self.vacancy_tower.parameters()]
        self.opt = torch.optim.Adam(params, lr=settings.lr)
        self.best_recall = 0.0
        self.best_state: dict | None = None

    def fit(self, step: int, candidates: torch.Tensor, applied: torch.Tensor) -> tuple[float, float]:
        seekers = self.candidate_tower(candidates)
        logits = seekers @ self.catalog.vectors(step).T / self.s.temperature  # <- culprit
        loss = F.cross_entropy(logits, applied)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        top = logits.detach().topk(5, dim=1).indices
        recall = (top == applied.unsqueeze(1)).any(dim=1).float().mean().item()
        if recall > self.best_recall:
            self.best_recall = recall
            self.best_state = copy.deepcopy(self.candidate_tower.state_dict())
        return loss.item(), recall
