from dataclasses import dataclass

import torch


@dataclass
class Snapshot:
    voltages: torch.Tensor
    readings: torch.Tensor
    hour: float


class SubstationGrid:
    def __init__(self, n_buses, n_channels):
        sparsity = torch.rand(n_buses, n_channels) < 0.25
        self.jacobian = torch.randn(n_buses, n_channels) * sparsity
        self.bias = 0.1 * torch.randn(n_channels)

    def measure(self, voltages, noise=0.02):
        clean = voltages @ self.jacobian + self.bias
        return clean + noise * torch.randn_like(clean)


class MeasurementStream:
    def __init__(self, grid, per_snapshot):
        self.grid = grid
        self.per_snapshot = per_snapshot
        self.hour = 0.0

    def next_snapshot(self):
        n_buses = self.grid.jacobian.shape[0]
        load = 1.0 + 0.2 * torch.sin(torch.tensor(self.hour * 0.26))
        voltages = load + 0.3 * torch.randn(self.per_snapshot, n_buses)
        readings = self.grid.measure(voltages)
        snapshot = Snapshot(voltages, readings, self.hour)
        self.hour += 1.0
        return snapshot
