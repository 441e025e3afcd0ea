import torch

_proto = torch.randn(5, 10, generator=torch.Generator().manual_seed(0))
_voice = 0.7 * torch.randn(4, 10, generator=torch.Generator().manual_seed(3))


def utterances(n, frames, gen):
    phone = torch.randint(0, 5, (n,), generator=gen)
    spk = torch.randint(0, 4, (n,), generator=gen)
    x = (_proto[phone] + _voice[spk]).unsqueeze(1).repeat(1, frames, 1)
    x += 0.4 * torch.randn(n, frames, 10, generator=gen)
    return x, phone, spk
