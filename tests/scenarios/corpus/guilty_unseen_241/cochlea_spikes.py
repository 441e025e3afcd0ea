# gradwatch-corpus: kind=graph-held
# holder: TriangleSpike.census
# first-bad: 1
"""Spiking cochlear-nucleus model that tells vowels from their formant tracks."""
import torch
from torch import nn


class TriangleSpike(torch.autograd.Function):
    census = []

    @staticmethod
    def forward(ctx, potential, threshold, slope):
        ctx.save_for_backward(potential)
        ctx.threshold = threshold
        ctx.slope = slope
        TriangleSpike.census.append(potential)  # <- culprit
        return (potential > threshold).to(potential.dtype)

    @staticmethod
    def backward(ctx, grad_out):
        potential, = ctx.saved_tensors
        window = (1 - ctx.slope * (potential - ctx.threshold).abs()).clamp_min(0)
        return grad_out * window, None, None

    @classmethod
    def subthreshold_share(cls, threshold, last=50):
        recent = torch.stack([v.detach() for v in cls.census[-last:]])
        return (recent < 0.5 * threshold).float().mean().item()


class NucleusLayer(nn.Module):
    def __init__(self, n_in, n_out, leak=0.85, threshold=1.0):
        super().__init__()
        self.afferent = nn.Linear(n_in, n_out)
        self.leak = leak
        self.threshold = threshold

    def forward(self, train):
        steps, batch, _ = train.shape
        v = torch.zeros(batch, self.afferent.out_features)
        out = []
        for k in range(steps):
            v = self.leak * v + self.afferent(train[k])
            s = TriangleSpike.apply(v, self.threshold, 0.8)
            v = v - s * self.threshold
            out.append(s)
        return torch.stack(out)


class VowelNet(nn.Module):
    def __init__(self, channels=20, n_vowels=5):
        super().__init__()
        self.bushy = NucleusLayer(channels, 40)
        self.readout = nn.Linear(40, n_vowels)

    def forward(self, train):
        spikes = self.bushy(train)
        rate = spikes.mean(0)
        return self.readout(rate), rate


class FormantBank:
    centres = torch.tensor([[3.0, 15.0], [5.0, 12.0], [8.0, 11.0], [6.0, 9.0], [4.0, 8.0]])

    def __init__(self, seed):
        self.rng = torch.Generator().manual_seed(seed)

    def __iter__(self):
        while True:
            label = torch.randint(0, 5, (24,), generator=self.rng)
            jitter = torch.randn(24, 2, generator=self.rng) * 0.5
            peak = self.centres[label] + jitter
            axis = torch.arange(20.0)
            tuning = torch.exp(-0.5 * (axis - peak[..., None]) ** 2).sum(1)
            noise = torch.rand(12, 24, 20, generator=self.rng)
            yield (tuning > noise).float(), label


class ListeningTest:
    def __init__(self, net, rate_target=0.2, rate_weight=0.5):
        self.net = net
        self.opt = torch.optim.Adamax(net.parameters(), lr=5e-3)
        self.rate_target = rate_target
        self.rate_weight = rate_weight

    def trial(self, train, label):
        logits, rate = self.net(train)
        loss = nn.functional.cross_entropy(logits, label)
        loss = loss + self.rate_weight * (rate.mean() - self.rate_target).pow(2)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        hits = (logits.argmax(-1) == label).float().mean()
        return loss.item(), hits.item()


if __name__ == "__main__":
    torch.manual_seed(41)
    test = ListeningTest(VowelNet())
    bank = iter(FormantBank(seed=41))
    for trial_no in range(140):
        loss, hits = test.trial(*next(bank))
        if trial_no % 20 == 0:
            share = TriangleSpike.subthreshold_share(1.0)
            print(f"trial {trial_no:3d}  loss {loss:.3f}  hits {hits:.2f}  quiet {share:.2f}")
