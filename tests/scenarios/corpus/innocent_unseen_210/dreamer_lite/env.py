import torch


def rollout_stream(n, bs, T):
    g = torch.Generator().manual_seed(77)
    A = torch.linalg.qr(torch.randn(8, 8, generator=g))[0]
    B = torch.randn(2, 8, generator=g) * 0.3
    s = torch.randn(bs, 8, generator=g)
    for _ in range(n):
        obs, act, first = [], [], []
        for t in range(T):
            a = torch.rand(bs, 2, generator=g) * 2 - 1
            reset = torch.rand(bs, generator=g) < 0.03
            s = torch.where(reset[:, None], torch.randn(bs, 8, generator=g), 0.98 * s @ A + a @ B)
            obs.append(s)
            act.append(a)
            first.append(reset.float())
        yield torch.stack(obs), torch.stack(act), torch.stack(first)
