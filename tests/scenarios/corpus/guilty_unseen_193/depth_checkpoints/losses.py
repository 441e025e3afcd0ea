import torch


def silog(pred, target, lam=0.85):
    d = torch.log(pred) - torch.log(target)
    return torch.sqrt((d ** 2).mean() - lam * d.mean() ** 2 + 1e-6)


def edge_smoothness(depth, image):
    dx = (depth[..., 1:] - depth[..., :-1]).abs()
    wx = torch.exp(-(image[..., 1:] - image[..., :-1]).abs().mean(1, keepdim=True))
    dy = (depth[..., 1:, :] - depth[..., :-1, :]).abs()
    wy = torch.exp(-(image[..., 1:, :] - image[..., :-1, :]).abs().mean(1, keepdim=True))
    return (dx * wx).mean() + (dy * wy).mean()


def abs_rel(pred, target):
    return ((pred - target).abs() / target).mean()
