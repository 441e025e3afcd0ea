# gradwatch-corpus: kind=none
"""Deterioration alerts from ward vitals with a per-patient memory network."""
import torch

from memory import PatientMemory
from model import WardNet
from patients import Ward
from train import train


if __name__ == "__main__":
    torch.manual_seed(55)
    torch.set_num_threads(1)
    ward = Ward(n_patients=30, n_vitals=6)
    net = WardNet(n_vitals=6, dim=16, memory=PatientMemory(dim=16, capacity=24, depth=4))
    train(net, ward, shifts=7, rounds=50)
