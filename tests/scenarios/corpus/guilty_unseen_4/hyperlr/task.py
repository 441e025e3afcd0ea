import torch


def two_rings(n, g, noise=0.15):
    lab = torch.randint(0, 2, (n,), generator=g)
    ang = torch.rand(n, generator=g) * 6.2832
    rad = 1.0 + lab + noise * torch.randn(n, generator=g)
    return torch.stack([rad * ang.cos(), rad * ang.sin()], 1), lab.float()


def init_weights(g, hidden=12):
    return {
        "w1": (torch.randn(2, hidden, generator=g) * 0.7).requires_grad_(),
        "b1": torch.zeros(hidden).requires_grad_(),
        "w2": (torch.randn(hidden, generator=g) * 0.4).requires_grad_(),
    }


def logits(fast, x):
    return torch.tanh(x @ fast["w1"] + fast["b1"]) @ fast["w2"]
