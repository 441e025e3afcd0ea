# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F


class Tagged(torch.Tensor):
    """Tensor that remembers which site and step produced it."""

    @staticmethod
    def wrap(t, **tags):
        out = t.as_subclass(Tagged)
        out.tags = tags
        return out

    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        out = super().__torch_function__(func, types, args, kwargs or {})
        if isinstance(out, Tagged) and not hasattr(out, "tags"):
            for a in args:
                if isinstance(a, Tagged):
                    out.tags = dict(getattr(a, "tags", {}))
                    break
        return out


class Ledger:
    def __init__(self, max_age):
        self.max_age = max_age
        self.rows = []

    def enter(self, t):
        now = t.tags["step"]
        self.rows.append(t)
        self.rows = [r for r in self.rows if now - r.tags["step"] < self.max_age]

    def by_site(self):
        totals = {}
        for r in self.rows:
            totals.setdefault(r.tags["site"], []).append(float(r))
        return {s: round(sum(v) / len(v), 4) for s, v in sorted(totals.items())}


def main():
    torch.manual_seed(140)
    shared = nn.Sequential(nn.Linear(14, 32), nn.GELU())
    heads = nn.ModuleDict({s: nn.Linear(32, 1) for s in ("lyon", "oslo", "turin")})
    opt = torch.optim.Adam([*shared.parameters(), *heads.parameters()], lr=2e-3)
    ledger = Ledger(max_age=15)
    truth = {s: torch.randn(14, 1) for s in heads}
    sites = list(heads)
    for step in range(480):
        site = sites[step % 3]
        x = torch.randn(32, 14)
        y = torch.tanh(x @ truth[site])
        pred = Tagged.wrap(heads[site](shared(x)), site=site, step=step)
        loss = F.huber_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        ledger.enter(loss)
        if step % 80 == 79:
            print(step + 1, ledger.by_site(), len(ledger.rows))


if __name__ == "__main__":
    main()
