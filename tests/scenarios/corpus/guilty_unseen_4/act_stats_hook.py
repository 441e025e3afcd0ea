# gradwatch-corpus: kind=graph-held
# holder: insp.report[label] | self.report[label] | insp.report | self.report | insp.report['layers.0.ff.1']
# first-bad: 1
"""ViT-style patch classifier with an activation inspector for dead-unit reports.

Notebook export. `Inspector` is used as a context manager around the fit.
"""
# %%
from contextlib import AbstractContextManager
from functools import partial

import torch
from torch import nn

torch.manual_seed(77)


# %%
class Inspector(AbstractContextManager):
    def __init__(self, net, kinds=(nn.GELU,)):
        self.net, self.kinds = net, kinds
        self.report, self._handles = {}, []

    def _grab(self, label, _mod, _inp, out):
        row = (out.mean(), (out < 0.01).float().mean())
        self.report.setdefault(label, []).append(row)  # <- culprit

    def __enter__(self):
        for label, m in self.net.named_modules():
            if isinstance(m, self.kinds):
                self._handles.append(m.register_forward_hook(partial(self._grab, label)))
        return self

    def __exit__(self, *exc):
        while self._handles:
            self._handles.pop().remove()
        return False

    def table(self, last=50):
        for label, rows in self.report.items():
            mean = sum(r[0].item() for r in rows[-last:]) / len(rows[-last:])
            dead = sum(r[1].item() for r in rows[-last:]) / len(rows[-last:])
            yield f"{label:18s} mean {mean:+.3f} quiet {dead:.1%}"


# %%
class Layer(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, heads, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        q = self.n1(x)
        x = x + self.att(q, q, q, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class TinyViT(nn.Module):
    def __init__(self, d=32, classes=5):
        super().__init__()
        self.patch = nn.Conv2d(1, d, 4, 4)
        self.pos = nn.Parameter(torch.randn(16, d) * 0.02)
        self.layers = nn.Sequential(Layer(d, 4), Layer(d, 4))
        self.head = nn.Linear(d, classes)

    def forward(self, img):
        tok = self.patch(img).flatten(2).transpose(1, 2) + self.pos
        return self.head(self.layers(tok).mean(1))


def stripes(n=16):
    lab = torch.randint(0, 5, (n,))
    xx = torch.arange(16).float()
    img = torch.sin(xx[None, None, :] * (0.4 + 0.3 * lab)[:, None, None]).expand(n, 16, 16)
    return (img + 0.5 * torch.randn(n, 16, 16)).unsqueeze(1), lab


# %%
net = TinyViT()
optim = torch.optim.AdamW(net.parameters(), lr=1e-3)
ce = nn.CrossEntropyLoss()

with Inspector(net) as insp:
    for step in range(240):
        img, lab = stripes()
        out = net(img)
        objective = ce(out, lab)
        optim.zero_grad()
        objective.backward()
        optim.step()
        if step % 80 == 79:
            acc = (out.argmax(1) == lab).float().mean().item()
            print(f"[{step + 1}] ce {objective.item():.3f} acc {acc:.2f}")
            print(*insp.table(), sep="\n")
