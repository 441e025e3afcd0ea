import torch


def blob_target(side):
    ys, xs = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    mid = (side - 1) / 2
    body = ((xs - mid) ** 2 / 6 + (ys - mid) ** 2 / 20) < 1
    eye = ((xs - mid).abs() < 2) & (ys == 4)
    rgba = torch.zeros(4, side, side)
    rgba[1] = body.float() * 0.8
    rgba[0] = (body & eye).float()
    rgba[3] = body.float()
    return rgba
