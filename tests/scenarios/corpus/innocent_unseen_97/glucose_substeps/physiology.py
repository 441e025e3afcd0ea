import torch
from torch import nn


class Physiology(nn.Module):
    def __init__(self, inputs):
        super().__init__()
        self.meal = nn.Linear(inputs, 1)
        self.uptake = nn.Sequential(nn.Linear(2, 6), nn.Tanh(), nn.Linear(6, 1))

    def quarter_hour(self, patient, substeps):
        g, ins = patient.glucose, patient.insulin
        dt = 1.0 / substeps
        inflow = torch.nn.functional.softplus(self.meal(patient.meal))
        for _ in range(substeps):
            drain = torch.sigmoid(self.uptake(torch.cat([g, ins])))
            g = g + dt * (inflow - drain * g)
            ins = ins + dt * (0.3 * g - 0.4 * ins)
        patient.glucose, patient.insulin = g, ins
        return (g - patient.measured).pow(2).sum()
