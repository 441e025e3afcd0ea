import torch
from torch import nn
import torch.nn.functional as F


class TasteModel(nn.Module):
    def __init__(self, tracks, dim, fade=0.85):
        super().__init__()
        self.table = nn.Embedding(tracks, dim)
        nn.init.normal_(self.table.weight, std=0.1)
        self.fade = fade

    def blank(self, cohort):
        return torch.zeros(cohort, self.table.embedding_dim)

    def score(self, page):
        heard = self.table(page.played).mean(1)
        interest = self.fade * page.taste + (1 - self.fade) * heard  # <- culprit
        good = (interest * self.table(page.nxt)).sum(-1)
        bad = (interest * self.table(page.skipped)).sum(-1)
        return -F.logsigmoid(good - bad).mean(), interest
