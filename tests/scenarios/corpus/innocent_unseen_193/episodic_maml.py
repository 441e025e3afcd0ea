# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.func import functional_call


class Tracker:
    def __init__(self):
        self.curves = {}

    def log(self, **kw):
        for k, v in kw.items():
            self.curves.setdefault(k, []).append(v.detach() if torch.is_tensor(v) else v)


def adapt(model, x, y, lr, steps):
    fast, trace = dict(model.named_parameters()), []
    for _ in range(steps):
        loss = (functional_call(model, fast, (x,)) - y).pow(2).mean()
        grads = torch.autograd.grad(loss, list(fast.values()), create_graph=True)
        fast = {k: w - lr * g for (k, w), g in zip(fast.items(), grads)}
        trace.append(loss)
    return fast, trace


def main(steps=400):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(1, 20), nn.Tanh(), nn.Linear(20, 1))
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    tracker, fast = Tracker(), None
    for step in range(steps):
        amp, phase = torch.rand(2)
        x = torch.rand(20, 1) * 6 - 3
        y = (amp + 0.5) * torch.sin(x + phase * 3)
        fast, trace = adapt(model, x[:10], y[:10], 0.05, 2)
        outer = (functional_call(model, fast, (x[10:],)) - y[10:]).pow(2).mean()
        opt.zero_grad()
        outer.backward()
        opt.step()
        tracker.log(outer=outer, first=trace[0], last=trace[-1], drift=sum(w.norm() for w in fast.values()))
        if step % 100 == 99:
            print(step + 1, {k: torch.stack(c[-50:]).mean().item() for k, c in tracker.curves.items()})


if __name__ == "__main__":
    main()
