# gradwatch-corpus: kind=second-backward
# holder: self.belief | tracker.belief | crew.tracker.belief | self.tracker.belief
# first-bad: 1
"""Trains the gains of a neural Kalman filter on the tracks of surface drifters."""
import torch

from drifters import DrifterFleet
from filtering import NeuralKalman
from loop import Crew, StepPrinter


def main():
    torch.manual_seed(14)
    fleet = DrifterFleet(seed=14, n=16, legs=5, fixes_per_leg=10)
    tracker = NeuralKalman(width=24)
    optimizer = torch.optim.Adam(tracker.parameters(), lr=3e-3)
    crew = Crew(tracker, optimizer, hooks=[StepPrinter(10)])
    crew.cruise(fleet, voyages=20)


if __name__ == "__main__":
    main()
