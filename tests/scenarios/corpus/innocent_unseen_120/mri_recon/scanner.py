import torch

SIDE = 12


def slices():
    ax = torch.linspace(-1, 1, SIDE)
    y, x = torch.meshgrid(ax, ax, indexing="ij")
    while True:
        cx, cy = (torch.rand(2) - 0.5).tolist()
        r = 0.3 + 0.4 * torch.rand(()).item()
        yield ((x - cx) ** 2 + (y - cy) ** 2 < r * r).float() + 0.3 * (x > cy).float()


def acquire(img, keep=0.6):
    mask = (torch.rand(SIDE) < keep).float()
    mask[0] = 1
    k = torch.fft.fft2(img.to(torch.complex64), norm="ortho")
    return k * mask, mask
