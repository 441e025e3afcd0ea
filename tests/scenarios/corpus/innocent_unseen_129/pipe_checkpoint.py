# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.autograd import Function
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(184)

LAYERS = {}


def layer(name):
    def deco(cls):
        LAYERS[name] = cls
        return cls
    return deco


class Throttle(Function):
    """Passes the flow; on the way back limits the gradient and notes its size."""
    log = []

    @staticmethod
    def forward(ctx, x, limit):
        ctx.limit = limit
        ctx.save_for_backward(x)
        return x.clamp(-4, 4)

    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        Throttle.log.append(g.norm().item())
        return g.clamp(-ctx.limit, ctx.limit) * (x.abs() <= 4), None


@layer("segment")
class Segment(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.a, self.b = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))


@layer("valve")
class Valve(nn.Module):
    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    def forward(self, x):
        return Throttle.apply(x, self.limit)


class Pipeline(nn.Module):
    def __init__(self, specs):
        super().__init__()
        self.parts = nn.ModuleList([LAYERS[s["name"]](**{k: v for k, v in s.items() if k != "name"}) for s in specs])
        self.out = nn.Linear(12, 1)
        self.taps = {}
        for i, p in enumerate(self.parts):
            p.register_forward_hook(self.tap(i))

    def tap(self, i):
        def hook(module, args, out):
            self.taps[i] = out
        return hook

    def forward(self, x):
        for p in self.parts:
            x = checkpoint(p, x, use_reentrant=False) if isinstance(p, Segment) else p(x)
        return self.out(x).squeeze(1)


net = Pipeline([{"name": "segment", "width": 12}, {"name": "valve", "limit": 0.1},
                {"name": "segment", "width": 12}, {"name": "segment", "width": 12}])
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
pressure = []
for _ in range(600):
    x = torch.randn(20, 12)
    loss = (net(x) - x[:, :4].sum(1).cos()).square().mean() + 1e-4 * net.taps[3].square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    pressure.append(net.taps[1].detach().abs().max().item())
print(loss.item(), len(Throttle.log), pressure[-1])
