import torch


def sample_shapes(n, pts):
    y = torch.randint(0, 3, (n,))
    p = torch.randn(n, pts, 3)
    sphere = p / p.norm(dim=-1, keepdim=True)
    cube = p / p.abs().max(-1, keepdim=True).values
    disc = sphere * torch.tensor([1.0, 1.0, 0.1])
    allp = torch.stack([sphere, cube, disc], 1)
    return allp[torch.arange(n), y], y


def random_view(p):
    n = len(p)
    a = torch.rand(n) * 6.28
    c, s = a.cos(), a.sin()
    z, o = torch.zeros(n), torch.ones(n)
    rot = torch.stack([c, -s, z, s, c, z, z, z, o], 1).view(n, 3, 3)
    scale = 0.8 + 0.4 * torch.rand(n, 1, 1)
    return p @ rot * scale + 0.02 * torch.randn_like(p)
