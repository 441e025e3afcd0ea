import torch
import torch.nn.functional as F


class UndefinedObjective(ValueError):
    """The objective has no meaning for this batch."""


def tag_loss(scores, tags):
    return F.cross_entropy(scores.flatten(0, 1), tags.flatten())


def boundary_contrast(hidden, boundary):
    """States at clause ends should look unlike the other states."""
    unit = F.normalize(hidden, dim=-1)
    inner = unit[~boundary]
    ends = unit[boundary]
    if len(ends) == 0:
        raise UndefinedObjective(f"no clause end among {boundary.numel()} tokens")
    return (ends @ inner.mean(dim=0)).pow(2).mean()


def reduce_losses(parts):
    return torch.stack(list(parts.values())).sum()
