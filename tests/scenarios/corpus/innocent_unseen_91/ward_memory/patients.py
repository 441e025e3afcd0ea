import torch


class Ward:
    """Patients follow a slow random walk; the label says whether the severity will pass 1."""

    def __init__(self, n_patients, n_vitals):
        self.severity = torch.rand(n_patients)
        self.mix = torch.randn(n_vitals)
        self.n_vitals = n_vitals

    def round(self, n=12):
        ids = torch.randperm(len(self.severity))[:n]
        trend = 0.1 * torch.randn(n)
        vitals = self.severity[ids, None] * self.mix + 0.4 * torch.randn(n, self.n_vitals)
        self.severity[ids] = (self.severity[ids] + trend).clamp(0, 2)
        return ids.tolist(), vitals, (self.severity[ids] > 0.8).float()
