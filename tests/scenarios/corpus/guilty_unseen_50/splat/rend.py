import torch


class Over(torch.autograd.Function):
    """Front-to-back alpha compositing. al: (G,n,n), col: (G,3) -> (3,n,n)"""

    @staticmethod
    def forward(ctx, al, col):
        q = 1 - al
        T = torch.cumprod(torch.cat([torch.ones_like(q[:1]), q[:-1]]), 0)
        w = al * T
        ctx.save_for_backward(al, col, T, w)
        return torch.einsum("gyx,gc->cyx", w, col)

    @staticmethod
    def backward(ctx, gI):
        al, col, T, w = ctx.saved_tensors
        gcol = torch.einsum("cyx,gyx->gc", gI, w)
        s = torch.einsum("cyx,gc->gyx", gI, col)
        sw = s * w
        tail = sw.sum(0, keepdim=True) - torch.cumsum(sw, 0)
        gal = s * T - tail / (1 - al)
        return gal, gcol


def raster(p, n):
    r = torch.linspace(-1, 1, n)
    yy, xx = torch.meshgrid(r, r, indexing="ij")
    dx = xx[None] - p["c"][:, 0, None, None]
    dy = yy[None] - p["c"][:, 1, None, None]
    co, si = torch.cos(p["rot"])[:, None, None], torch.sin(p["rot"])[:, None, None]
    s = torch.exp(p["ls"])
    u = (co * dx + si * dy) / s[:, 0, None, None]
    v = (-si * dx + co * dy) / s[:, 1, None, None]
    al = 0.98 * torch.sigmoid(p["op"])[:, None, None] * torch.exp(-0.5 * (u * u + v * v))
    return al, torch.sigmoid(p["col"])
