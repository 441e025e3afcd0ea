import torch

MOTIF = torch.tensor([2, 0, 3, 0])   # GATA


def one_hot(idx):
    return torch.nn.functional.one_hot(idx, 4).float().transpose(1, 2)


def make_batch(gen, n, length):
    idx = torch.randint(4, (n, length), generator=gen)
    has = torch.rand(n, generator=gen) < 0.5
    pos = torch.randint(length - 4, (n,), generator=gen)
    for i in range(n):
        if has[i]:
            idx[i, pos[i]:pos[i] + 4] = MOTIF
    gc = ((idx == 1) | (idx == 2)).float()
    donor = torch.zeros(n, length)
    donor[:, :-1] = ((idx[:, :-1] == 2) & (idx[:, 1:] == 3)).float()
    return {
        "x": one_hot(idx),
        "access": has.float().unsqueeze(1),
        "splice": donor,
        "conserv": gc.mean(1, keepdim=True),
    }
