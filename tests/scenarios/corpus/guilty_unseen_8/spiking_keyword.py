# gradwatch-corpus: kind=inplace-modified
# first-bad: 45
"""Spiking network for keyword timing: integrate-and-fire neurons with a surrogate gradient.

The first epoch runs with the soft reset (subtract the threshold); afterwards neurons are put back to rest after a spike,
which is what the neuromorphic chip does.
"""
import torch
import torch.nn.functional as F
from torch import nn

EPOCH_LEN, EPOCHS, TICKS = 45, 7, 14


class FastSigmoid(torch.autograd.Function):
    @staticmethod
    def forward(ctx, v, theta, slope):
        ctx.save_for_backward(v)
        ctx.theta, ctx.slope = theta, slope
        return (v > theta).to(v.dtype)

    @staticmethod
    def backward(ctx, grad):
        (v,) = ctx.saved_tensors
        return grad / (1 + ctx.slope * (v - ctx.theta).abs()).pow(2), None, None


class Cells(nn.Module):
    def __init__(self, fan_in, n, tau=0.85, theta=1.0):
        super().__init__()
        self.syn = nn.Linear(fan_in, n, bias=False)
        nn.init.normal_(self.syn.weight, std=1.6 / fan_in ** 0.5)
        self.tau = nn.Parameter(torch.full((n,), tau))
        self.theta = theta
        self.chip_reset = False

    def begin(self, batch):
        return torch.zeros(batch, self.syn.out_features)

    def tick(self, volt, spikes_in):
        volt = self.tau * volt + self.syn(spikes_in)
        out = FastSigmoid.apply(volt, self.theta, 10.0)
        if self.chip_reset:
            volt[out.bool()] = 0.0  # <- culprit
        else:
            volt = volt - self.theta * out.detach()
        return volt, out


class KeywordNet(nn.Module):
    def __init__(self, channels=30, hidden=64, words=5):
        super().__init__()
        self.hidden = Cells(channels, hidden)
        self.read = nn.Linear(hidden, words)

    def forward(self, raster):
        volt, rate = self.hidden.begin(raster.shape[0]), 0.0
        for tick in raster.unbind(1):
            volt, out = self.hidden.tick(volt, tick)
            rate = rate + out
        return self.read(rate / raster.shape[1]), rate


def rasters(profile, n):
    word = torch.randint(profile.shape[0], (n,))
    return torch.bernoulli(profile[word]), word


def main():
    torch.manual_seed(21)
    profile = 0.35 * torch.rand(5, TICKS, 30)
    net = KeywordNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for epoch in range(EPOCHS):
        net.hidden.chip_reset = epoch > 0
        correct = activity = 0.0
        for _ in range(EPOCH_LEN):
            raster, word = rasters(profile, 48)
            scores, rate = net(raster)
            cost = F.cross_entropy(scores, word) + 1e-3 * rate.mean()
            opt.zero_grad()
            cost.backward()
            opt.step()
            correct += float((scores.argmax(-1) == word).float().mean())
            activity += rate.mean().item()
        print(f"epoch {epoch} accuracy {correct / EPOCH_LEN:.3f} spikes per cell {activity / EPOCH_LEN:.2f}")


if __name__ == "__main__":
    main()
