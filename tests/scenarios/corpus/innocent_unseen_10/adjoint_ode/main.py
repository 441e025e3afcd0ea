# gradwatch-corpus: kind=none
"""Neural ODE classifier of concentric circles trained by the adjoint method: the forward pass leaves no graph behind, and the
backward pass integrates the augmented system by itself. Companion code of the lecture notes."""
import torch
from torch import nn
import torch.nn.functional as F

from adjoint import odeint_adjoint
from callbacks import Callbacks, Curve, Every

torch.manual_seed(31415)


def circles(n):
    y = torch.randint(0, 2, (n,))
    a = torch.rand(n) * 6.2832
    r = torch.where(y > 0, 1.5, 0.6) + 0.1 * torch.randn(n)
    return torch.stack([a.cos() * r, a.sin() * r], 1), y


class Field(nn.Module):
    def __init__(self, dim, width=24):
        super().__init__()
        self.l1, self.l2 = nn.Linear(dim + 1, width), nn.Linear(width, dim)
        self.nfe = 0

    def forward(self, t, y):
        self.nfe += 1
        t = torch.full_like(y[:, :1], t)
        return self.l2(torch.tanh(self.l1(torch.cat([y, t], 1))))


class ODENet(nn.Module):
    """Augmented by one dimension (Dupont et al.), since flows in the plane cannot separate circles."""

    def __init__(self, aug=1):
        super().__init__()
        self.aug = aug
        self.field = Field(2 + aug)
        self.head = nn.Linear(2 + aug, 2)
        self.last_end = None

    def forward(self, x):
        y0 = F.pad(x, (0, self.aug))
        self.last_end = odeint_adjoint(self.field, y0, 0.0, 1.0, steps=6)
        return self.head(self.last_end)


def train(steps=240, batch=64):
    model = ODENet()
    opt = torch.optim.Adam(model.parameters(), lr=8e-3)
    curve = Curve(window=40)
    cbs = Callbacks([curve, Every(60, lambda s: print(f"{s['step']:4d} {curve.text()} nfe {s['nfe']} "
                                                       f"spread {s['end'].std().item():.2f}"))])
    for step in range(1, steps + 1):
        x, y = circles(batch)
        model.field.nfe = 0
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        cbs.fire({"step": step, "loss": loss, "acc": (logits.argmax(1) == y).float().mean(),
                  "nfe": model.field.nfe, "end": model.last_end})
    return model


if __name__ == "__main__":
    model = train()
    with torch.no_grad():
        x, y = circles(500)
        print("accuracy:", (model(x).argmax(1) == y).float().mean().item())
