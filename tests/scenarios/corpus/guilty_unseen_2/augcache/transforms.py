import torch


def jitter(img, seed):
    g = torch.Generator().manual_seed(seed)
    gain = 0.8 + 0.4 * torch.rand(3, 1, 1, generator=g)
    if torch.rand((), generator=g) < 0.5:
        img = img.flip(-1)
    return (img * gain).clamp(0, 1.6).contiguous()
