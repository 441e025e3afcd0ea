from torch import nn


def make_teacher(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 96), nn.BatchNorm1d(96), nn.ReLU(),
                         nn.Linear(96, 96), nn.ReLU(), nn.Linear(96, n_out))


def make_student(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, n_out))
