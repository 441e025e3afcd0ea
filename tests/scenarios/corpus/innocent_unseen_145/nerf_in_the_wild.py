# gradwatch-corpus: kind=none
"""Coarse and fine fields with per-photo appearance codes; ray chunks are checkpointed."""
import torch

torch.set_num_threads(1)
from torch import nn
from torch.utils.checkpoint import checkpoint


class Field(nn.Module):
    def __init__(self, hid=20, app=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(9, hid), nn.ReLU(), nn.Linear(hid, hid), nn.ReLU())
        self.density = nn.Linear(hid, 1)
        self.colour = nn.Linear(hid + app, 3)

    def forward(self, pts, code):
        h = self.body(torch.cat([pts, pts.sin(), (2 * pts).cos()], -1))
        code = code[:, None].expand(-1, pts.shape[1], -1)
        return nn.functional.softplus(self.density(h))[..., 0], torch.sigmoid(self.colour(torch.cat([h, code], -1)))


class Appearance(nn.Module):
    def __init__(self, n_photos=5, app=4):
        super().__init__()
        self.table = nn.Embedding(n_photos, 6)
        self.mlp = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, app))

    def forward(self, ids):
        return self.mlp(self.table(ids))


def composite(sigma, rgb, t):
    delta = torch.diff(t, dim=1, append=t[:, -1:] + 0.2)
    a = 1 - torch.exp(-sigma * delta)
    T = torch.cumprod(torch.cat([torch.ones_like(a[:, :1]), 1 - a[:, :-1]], 1), 1)
    w = a * T
    return (w[..., None] * rgb).sum(1), w


def march(field, o, d, t, code, chunk=12):
    cols, ws = [], []
    for s in range(0, len(o), chunk):
        sl = slice(s, s + chunk)
        pts = o[sl, None] + d[sl, None] * t[sl, :, None]
        sigma, rgb = checkpoint(field, pts, code[sl], use_reentrant=False)
        c, w = composite(sigma, rgb, t[sl])
        cols.append(c)
        ws.append(w)
    return torch.cat(cols), torch.cat(ws)


def resample(t, w, n):
    pick = torch.multinomial(w.detach() + 1e-3, n, replacement=True)
    fine = torch.gather(t, 1, pick) + 0.1 * torch.rand(len(t), n)
    return torch.sort(torch.cat([t, fine], 1), 1).values


def photo_rays(n=24):
    ids = torch.randint(0, 5, (n,))
    o = torch.tensor([-2.0, 0, 0]).expand(n, 3)
    d = nn.functional.normalize(torch.tensor([1.0, 0, 0]) + 0.4 * torch.randn(n, 3), dim=-1)
    inside = ((o + 2 * d).norm(dim=-1) < 0.5).float()[:, None]
    tint = 0.5 + 0.1 * ids[:, None]
    return ids, o, d, inside * tint * torch.tensor([1.0, 0.6, 0.3])


def main():
    torch.manual_seed(13)
    coarse, fine, app = Field(), Field(), Appearance()
    everything = nn.ModuleList([coarse, fine, app])
    opt = torch.optim.Adam(everything.parameters(), lr=3e-3)
    for step in range(450):
        ids, o, d, gt = photo_rays()
        code = app(ids)
        t = torch.linspace(1.0, 3.0, 6).expand(len(o), -1)
        c_rgb, w = march(coarse, o, d, t, code)
        opt.zero_grad()
        loss_c = (c_rgb - gt).pow(2).mean()
        loss_c.backward(retain_graph=True)
        f_rgb, _ = march(fine, o, d, resample(t, w, 6), code)
        loss_f = (f_rgb - gt).pow(2).mean()
        loss_f.backward()
        opt.step()
        if step % 90 == 0:
            print(step, f"coarse {loss_c.item():.4f} fine {loss_f.item():.4f}")


main()
