# gradwatch-corpus: kind=inplace-modified
# holder: q | flow | y | discharge
# first-bad: 40
# notice: 0
"""Stage-discharge rating curves with a small network (hydrometry, 5 gauges).

The output activation is written by hand because the gauges need different
sharpness; the physical bounds come in once the fit has settled.
"""
import torch
from torch import nn
from torch.autograd import Function
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.set_num_threads(1)
torch.manual_seed(19)

GAUGES = 5
BURN_IN = 40
EPOCHS = 160


class SharpSoftplus(Function):
    """log(1+exp(bx))/b; the slope is recovered from the value: 1-exp(-b y)"""

    @staticmethod
    def forward(ctx, x, sharp):
        y = torch.logaddexp(sharp * x, torch.zeros_like(x)) / sharp
        ctx.save_for_backward(y, sharp)
        return y

    @staticmethod
    def backward(ctx, grad):
        y, sharp = ctx.saved_tensors
        return grad * -torch.expm1(-sharp * y), None


class RatingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.gauge = nn.Embedding(GAUGES, 3)
        self.net = nn.Sequential(nn.Linear(4, 24), nn.SiLU(), nn.Linear(24, 24), nn.SiLU(), nn.Linear(24, 1))
        self.register_buffer("sharp", torch.linspace(1.0, 3.0, GAUGES))

    def forward(self, stage, gauge):
        h = self.net(torch.cat([stage[:, None], self.gauge(gauge)], 1)).squeeze(1)
        return SharpSoftplus.apply(h, self.sharp[gauge])


class PhysicalBounds:
    """No more than the bank-full discharge, nothing below the cease-to-flow stage."""

    def __init__(self, bankfull, cease, start):
        self.bankfull, self.cease, self.start = bankfull, cease, start

    def __call__(self, discharge, stage, gauge, epoch):
        if epoch < self.start:
            return discharge
        discharge.clamp_(max=self.bankfull)  # <- culprit
        discharge.masked_fill_(stage < self.cease[gauge], 0.0)  # <- culprit
        return discharge


def gaugings(n, cease):
    gauge = torch.randint(GAUGES, (n,))
    stage = 3 * torch.rand(n)
    a = 0.6 + 0.2 * gauge
    q = a * (stage - cease[gauge]).clamp_min(0) ** 1.6
    return stage, gauge, (q * (1 + 0.05 * torch.randn(n))).clamp(max=6.0)


def log_nash(pred, obs):
    return ((pred + 0.1).log() - (obs + 0.1).log()).square().mean()


def main():
    cease = torch.tensor([0.1, 0.2, 0.15, 0.3, 0.25])
    model = RatingNet()
    ema = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(0.98))
    bounds = PhysicalBounds(6.0, cease, BURN_IN)
    opt = torch.optim.NAdam(model.parameters(), lr=4e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, EPOCHS)

    for epoch in range(EPOCHS):
        stage, gauge, obs = gaugings(128, cease)
        q = model(stage, gauge)
        flow = bounds(q, stage, gauge, epoch)
        loss = log_nash(flow, obs)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        ema.update_parameters(model)
        if epoch % 20 == 0:
            print(f"{epoch:3d} loss {loss.item():.4f} lr {sched.get_last_lr()[0]:.5f}")

    ema.eval()
    with torch.no_grad():
        stage, gauge, obs = gaugings(512, cease)
        print("check:", log_nash(ema(stage, gauge), obs).item())


if __name__ == "__main__":
    main()
