import numpy as np
import torch


def _as_array(t):
    return t.detach().cpu().numpy().reshape(len(t), -1).astype(np.float64)  # <- culprit


def soft_dice(prob, mask, eps=1e-6):
    p, m = _as_array(prob), _as_array(mask)
    both = (p * m).sum(axis=1)
    score = (2 * both + eps) / (p.sum(axis=1) + m.sum(axis=1) + eps)
    return torch.tensor(score.mean(), dtype=torch.float32)  # <- culprit
