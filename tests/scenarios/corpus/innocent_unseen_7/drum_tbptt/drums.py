import torch

PADS = 7
METER = {"rock": 16, "samba": 16, "waltz": 12}


def endless_loop(style, lanes, seed):
    g = torch.Generator().manual_seed(seed)
    n = METER[style]
    pattern = (torch.rand(lanes, n, PADS, generator=g) < 0.3).float()
    pattern[:, ::4, 0] = 1.0
    offset = torch.randint(0, n, (lanes,), generator=g)
    step = 0
    while True:
        row = pattern[torch.arange(lanes), (offset + step) % n]
        flip = (torch.rand(lanes, PADS, generator=g) < 0.02).float()
        yield (row - flip).abs()
        step += 1
