import torch

_protos = None


def _prototypes(k=6, d=24):
    global _protos
    if _protos is None:
        _protos = torch.randn(k, d)
    return _protos


def two_views(n):
    p = _prototypes()
    base = p[torch.randint(0, len(p), (n,))] + 0.2 * torch.randn(n, p.shape[1])

    def aug(x):
        mask = (torch.rand_like(x) > 0.2).float()
        return x * mask + 0.1 * torch.randn_like(x)

    return aug(base), aug(base)
