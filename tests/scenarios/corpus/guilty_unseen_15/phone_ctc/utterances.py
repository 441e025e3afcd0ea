import torch

N_FEATS = 12
N_PHONES = 8
FRAMES = 40

_proto = torch.randn(N_PHONES + 1, N_FEATS, generator=torch.Generator().manual_seed(99))


def batch_of(n, gen):
    feats = 0.3 * torch.randn(n, FRAMES, N_FEATS, generator=gen)
    feat_len = torch.full((n,), FRAMES)
    phones, phone_len = [], []
    for b in range(n):
        k = int(torch.randint(3, 7, (1,), generator=gen))
        seq = torch.randint(1, N_PHONES + 1, (k,), generator=gen)
        span = FRAMES // k
        for j, p in enumerate(seq.tolist()):
            feats[b, j * span:(j + 1) * span] += _proto[p]
        phones.append(seq)
        phone_len.append(k)
    return feats, feat_len, torch.cat(phones), torch.tensor(phone_len)
