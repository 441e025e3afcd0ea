import copy

import torch


def glyphs(n):
    """Random bars and boxes."""
    img = torch.zeros(n, 1, 8, 8)
    rows = torch.randint(0, 7, (n,)).tolist()
    cols = torch.randint(0, 7, (n,)).tolist()
    for i, (r, c) in enumerate(zip(rows, cols)):
        img[i, 0, r:r + 2] = 1.0
        img[i, 0, :, c] = 1.0
    return img


def clone_frozen(net):
    twin = copy.deepcopy(net)
    for p in twin.parameters():
        p.requires_grad = False
    return twin.eval()


def ema_update(avg, net, decay=0.99):
    with torch.no_grad():
        for a, p in zip(avg.parameters(), net.parameters()):
            a.copy_(decay * a + (1 - decay) * p)
        for a, b in zip(avg.buffers(), net.buffers()):
            a.copy_(b)


def tail_mean(xs, n=50):
    xs = xs[-n:]
    return sum(xs) / len(xs)
