import torch


def heatmaps_to_points(hm):
    b, j, h, w = hm.shape
    flat = hm.flatten(2)
    flat = flat - flat.amax(-1, keepdim=True)
    best = flat.argmax(-1)  # <- culprit
    ys, xs = torch.div(best, w, rounding_mode="floor"), best % w
    return torch.stack([xs, ys], -1).float()
