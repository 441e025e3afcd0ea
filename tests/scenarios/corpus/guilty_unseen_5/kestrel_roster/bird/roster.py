import torch
import torch.nn.functional as F


class Roster:
    """Running mean embedding of each enrolled speaker."""

    def __init__(self, speakers, dim, keep):
        self.table = torch.randn(speakers, dim) * 0.1
        self.keep = keep

    def enroll(self, voiceprints, who):
        share = F.one_hot(who, self.table.shape[0]).float()
        present = share.sum(0).clamp(min=1)
        batch_mean = (share / present).t() @ voiceprints
        absent = (share.sum(0) == 0).unsqueeze(1)
        fresh = self.keep * self.table + (1 - self.keep) * batch_mean  # <- culprit
        self.table = torch.where(absent, self.table, fresh)  # <- culprit

    def similarity(self, voiceprints):
        return -torch.cdist(voiceprints, self.table).square() * 0.5
