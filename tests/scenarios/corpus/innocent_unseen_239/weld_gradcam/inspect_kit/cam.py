import torch


def grad_cam(score, feature_map):
    (grad,) = torch.autograd.grad(score, feature_map, retain_graph=True)
    weights = grad.mean(dim=(2, 3), keepdim=True)
    cam = torch.relu((weights * feature_map.detach()).sum(1))
    return cam / (cam.amax(dim=(1, 2), keepdim=True) + 1e-6)


def pointing_hit(cam, rows):
    peak = cam.flatten(1).argmax(1) // cam.shape[2]
    return (peak == rows // 2).float().mean().item()
