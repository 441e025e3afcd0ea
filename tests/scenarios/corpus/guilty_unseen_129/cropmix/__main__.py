# gradwatch-corpus: kind=graph-held
# holder: balance.spent | self.spent | balance.spent["yield"] | balance.spent[name] | self.spent[name]
# first-bad: 1
# notice: 8
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(5)

from . import balance as _b, nets as _n  # noqa: E402,F401
from .registry import build  # noqa: E402

CONFIG = {
    "trunk": {"name": "spectral-trunk", "bands": 16, "width": 10},
    "yield": {"name": "yield-head", "width": 10},
    "species": {"name": "species-head", "width": 10, "species": 4},
    "balance": {"name": "uncertainty", "tasks": ["yield", "species"]},
}


def field(n):
    kind = torch.randint(0, 4, (n,))
    refl = torch.randn(n, 16) * 0.3 + torch.sin(torch.arange(16) * (kind[:, None] + 1) / 5)
    return refl, kind, refl.mean(1) + 0.5 * kind.float()


def main():
    parts = {k: build(v) for k, v in CONFIG.items()}
    balance = parts["balance"]
    params = [p for m in parts.values() for p in m.parameters()]
    opt = torch.optim.Adam(params, lr=3e-3)
    for step in range(360):
        refl, kind, crop = field(24)
        z = parts["trunk"](refl)
        total = balance({
            "yield": F.smooth_l1_loss(parts["yield"](z).squeeze(1), crop),
            "species": F.cross_entropy(parts["species"](z), kind),
        })
        opt.zero_grad()
        total.backward()
        opt.step()
    print(balance.summary())


main()
