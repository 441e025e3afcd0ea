# gradwatch-corpus: kind=graph-held
# holder: table | table[name] | table["recon"] | record.__defaults__ | record.__defaults__[0] | record
# first-bad: 1
"""Assignment 3, question 4: dynamic routing between capsules on 12x12 toy glyphs.

Fill in the blocks between START and END. Do not change the function signatures.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F


# ---------------------------------------------------------------- data
def make_glyphs(n, gen):
    """bars, crosses and frames with jitter"""
    x = 0.15 * torch.rand(n, 1, 12, 12, generator=gen)
    y = torch.randint(0, 4, (n,), generator=gen)
    dx = torch.randint(-2, 3, (n, 2), generator=gen)
    for i in range(n):
        r, c = 6 + dx[i, 0], 6 + dx[i, 1]
        if y[i] in (0, 2):
            x[i, 0, r, 2:10] += 0.8
        if y[i] in (1, 2):
            x[i, 0, 2:10, c] += 0.8
        if y[i] == 3:
            x[i, 0, r - 3:r + 3, c - 3] += 0.8
            x[i, 0, r - 3:r + 3, c + 2] += 0.8
    return x, y


# ---------------------------------------------------------------- Q4.1
def squash(s, dim=-1):
    """Inputs: s of shape (..., D). Returns: v with norm in [0, 1)"""
    # *** START ***
    n2 = (s ** 2).sum(dim, keepdim=True)
    return n2 / (1 + n2) * s / torch.sqrt(n2 + 1e-8)
    # *** END ***


# ---------------------------------------------------------------- Q4.2
class RoutedCaps(nn.Module):
    def __init__(self, n_in, d_in, n_out, d_out, iters=3):
        super().__init__()
        self.W = nn.Parameter(0.1 * torch.randn(n_in, n_out, d_in, d_out))
        self.iters = iters

    def forward(self, u):
        # *** START ***
        u_hat = torch.einsum('bid,iodk->biok', u, self.W)
        b = torch.zeros(u_hat.shape[:3])
        frozen = u_hat.detach()
        for r in range(self.iters):
            c = F.softmax(b, dim=2)
            if r == self.iters - 1:
                return squash((c.unsqueeze(-1) * u_hat).sum(1))
            v = squash((c.unsqueeze(-1) * frozen).sum(1))
            b = b + (frozen * v.unsqueeze(1)).sum(-1)
        # *** END ***


class CapsNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 16, 5, stride=1)
        self.prim = nn.Conv2d(16, 32, 4, stride=2)
        self.caps = RoutedCaps(n_in=4 * 9, d_in=8, n_out=4, d_out=8)
        self.dec = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 144), nn.Sigmoid())

    def forward(self, x, y=None):
        h = F.relu(self.conv(x))
        u = self.prim(h)
        u = u.view(len(x), 4, 8, -1).permute(0, 1, 3, 2).reshape(len(x), -1, 8)
        v = self.caps(squash(u))
        scores = v.norm(dim=-1)
        pick = scores.argmax(1) if y is None else y
        mask = F.one_hot(pick, 4).float().unsqueeze(-1)
        return scores, self.dec((v * mask).flatten(1))


# ---------------------------------------------------------------- Q4.3
def margin_loss(scores, y, lam=0.5):
    t = F.one_hot(y, 4).float()
    # *** START ***
    pos = t * F.relu(0.9 - scores) ** 2
    neg = (1 - t) * F.relu(scores - 0.1) ** 2
    return (pos + lam * neg).sum(1).mean()
    # *** END ***


# ---------------------------------------------------------------- bookkeeping (given)
def record(name, value, table={}):
    """Keeps a column of values per name; call with value=None to read it back."""
    if value is not None:
        table.setdefault(name, []).append(value)  # <- culprit
    return table.get(name, [])


def mean_of(name, last=25):
    col = record(name, None)[-last:]
    return sum(v if isinstance(v, float) else v.item() for v in col) / max(len(col), 1)


# ---------------------------------------------------------------- Q4.4
def train(steps=220, batch=16):
    gen = torch.Generator().manual_seed(231)
    torch.manual_seed(231)
    model = CapsNet()
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    for it in range(steps):
        x, y = make_glyphs(batch, gen)
        scores, rec = model(x, y)
        margin = margin_loss(scores, y)
        recon = F.mse_loss(rec, x.flatten(1))
        loss = margin + 0.05 * recon
        optim.zero_grad()
        loss.backward()
        optim.step()
        record('margin', margin.item())
        record('recon', recon)  # <- culprit
        record('acc', (scores.argmax(1) == y).float().mean().item())
        if (it + 1) % 50 == 0:
            print('iter %d  margin %.4f  recon %.4f  acc %.3f'
                  % (it + 1, mean_of('margin'), mean_of('recon'), mean_of('acc')))
    return model


if __name__ == '__main__':
    net = train()
    gen = torch.Generator().manual_seed(7)
    x, y = make_glyphs(200, gen)
    with torch.no_grad():
        s, _ = net(x)
    print('Expected accuracy > 0.6, yours: %.3f' % (s.argmax(1) == y).float().mean().item())
