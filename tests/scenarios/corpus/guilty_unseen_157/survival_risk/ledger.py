from weakref import WeakKeyDictionary

import torch


class DifficultyLedger:
    """Losses of each patient over the run. A patient who leaves the cohort leaves the ledger."""

    def __init__(self, recent=3):
        self.recent = recent
        self.by_patient = WeakKeyDictionary()

    def note(self, patients, losses):
        for patient, value in zip(patients, losses):
            self.by_patient.setdefault(patient, []).append(value)  # <- culprit

    def score(self, patient):
        past = self.by_patient.get(patient)
        if not past:
            return 1.0
        tail = past[-self.recent:]
        return sum(v.item() for v in tail) / len(tail)

    def weights(self, cohort):
        return torch.tensor([0.1 + self.score(p) for p in cohort])

    def hardest(self):
        return max(self.by_patient, key=self.score)
