# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(606)


class SpectralLayer(nn.Module):
    def __init__(self, channels, modes):
        super().__init__()
        self.modes = modes
        self.weight = nn.Parameter(0.1 * torch.randn(channels, channels, modes, 2))

    def forward(self, x):
        xf = torch.fft.rfft(x)
        w = torch.view_as_complex(self.weight)
        low = torch.einsum("bcm,cdm->bdm", xf[..., : self.modes], w)
        pad = torch.zeros_like(xf[..., self.modes:])
        return torch.fft.irfft(torch.cat([low, pad], -1), n=x.shape[-1])


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift = nn.Conv1d(1, 4, 1)
        self.spec = SpectralLayer(4, 8)
        self.skip = nn.Conv1d(4, 4, 1)
        self.drop = nn.Conv1d(4, 1, 1)

    def forward(self, ping):
        h = self.lift(ping)
        h = torch.nn.functional.gelu(self.spec(h) + self.skip(h))
        return self.drop(h)


def pings(batch=6, n=48):
    t = torch.linspace(0, 1, n)
    f = 2 + 3 * torch.rand(batch, 1)
    clean = torch.sin(2 * torch.pi * f * t) * torch.exp(-2 * t)
    return (clean + 0.3 * torch.randn(batch, n)).unsqueeze(1), clean.unsqueeze(1)


class Experiment:
    def __init__(self):
        self.model = Denoiser()
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=3e-3)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 150, 0.5)

    def learn(self, noisy, clean):
        residual = self.model(noisy) - clean
        fidelity = residual.square().mean()
        rough = residual.diff(dim=-1).square().mean()
        self.backprop(fidelity + 0.1 * rough)
        return fidelity.item()

    def backprop(self, loss):
        self.opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        self.sched.step()


exp = Experiment()
for i in range(450):
    f = exp.learn(*pings())
    if i % 75 == 0:
        print(f"{i:4d}  {f:.4f}")
