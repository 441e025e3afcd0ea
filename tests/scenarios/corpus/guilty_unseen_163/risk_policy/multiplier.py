import torch


class Multiplier:
    """Dual variable of one inequality constraint, g(theta) <= 0."""

    def __init__(self, rho, start=0.0, cap=20.0):
        self.rho = rho
        self.cap = cap
        self.value = torch.tensor(float(start))

    def penalty(self, violation):
        return self.value * violation

    def ascend(self, violation):
        raised = self.value + self.rho * violation  # <- culprit
        self.value = raised.clamp(0.0, self.cap)  # <- culprit
        return self.value.item()
