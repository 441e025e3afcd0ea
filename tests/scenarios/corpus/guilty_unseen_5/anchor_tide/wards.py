"""Synthetic ward records."""
import torch


def make_ward(count, shift):
    rows = torch.randn(count, 24) + shift
    direction = torch.linspace(-1, 1, 24)
    logit = rows @ direction + 0.6 * (rows[:, 0] * rows[:, 5])
    outcome = (torch.rand(count) < torch.sigmoid(logit)).float()
    return rows, outcome


def draw(ward, size):
    rows, outcome = ward
    pick = torch.randint(0, rows.shape[0], (size,))
    return rows[pick], outcome[pick]
