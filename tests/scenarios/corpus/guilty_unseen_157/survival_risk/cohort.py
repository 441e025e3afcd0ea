import torch


class Patient:
    def __init__(self, name, covariates, time, event):
        self.name = name
        self.covariates = covariates
        self.time = time
        self.event = event

    def __repr__(self):
        return f"Patient({self.name})"


def make_cohort(n, n_feat=12, bins=10):
    beta = torch.randn(n_feat) * 0.4
    cohort = []
    for i in range(n):
        x = torch.randn(n_feat)
        rate = torch.sigmoid(x @ beta - 1.5).item()
        time = min(bins - 1, int(torch.empty(1).exponential_(max(rate, 0.02)).item()))
        cohort.append(Patient(f"P{i:03d}", x, time, int(time < bins - 1)))
    return cohort
