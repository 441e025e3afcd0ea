import random
from collections import Counter

import torch
import torch.nn.functional as F

from .clinic import Walkout


class Council:
    def __init__(self, common, clinics):
        self.common, self.clinics = common, clinics
        self.dice = random.Random(13)
        self.absent = []

    def convene(self, season, invited):
        reports = []
        for clinic in self.dice.sample(self.clinics, invited):
            try:
                weights, _ = clinic.treat(self.common)
            except Walkout as refusal:
                self.absent.append((season, refusal))  # <- culprit
                continue
            reports.append(weights)
        if reports:
            self.common.load_state_dict({k: torch.stack([r[k] for r in reports]).mean(0) for k in reports[0]})
        return len(reports)

    @torch.no_grad()
    def appraise(self):
        parts = [F.cross_entropy(self.common(x), y) for x, y in (c.patients(64) for c in self.clinics)]
        return float(sum(parts) / len(parts))

    def minutes(self):
        return dict(Counter(refusal.who for _, refusal in self.absent))
