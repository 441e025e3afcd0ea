# gradwatch-corpus: kind=graph-held
# holder: self.captured | probe.captured | self.captured[name] | probe.captured["encoder.3"]
# first-bad: 1
import torch
import torch.nn as nn
from functools import partial


class ActivationProbe:
    """Collects layer outputs for the sparsity report at the end of training."""

    def __init__(self, model, layer_names):
        self.captured = {name: [] for name in layer_names}
        modules = dict(model.named_modules())
        self.handles = [
            modules[name].register_forward_hook(partial(self._save, name))
            for name in layer_names
        ]

    def _save(self, name, module, inputs, output):
        if module.training:
            self.captured[name].append(output)  # <- culprit

    def report(self):
        for name, outs in self.captured.items():
            zeros = [(o <= 0).float().mean().item() for o in outs]
            print("%-12s first %.3f  last %.3f  (%d batches)" % (name, zeros[0], zeros[-1], len(zeros)))

    def close(self):
        for h in self.handles:
            h.remove()


class Denoiser(nn.Module):
    def __init__(self, width):
        super(Denoiser, self).__init__()
        self.encoder = nn.Sequential(nn.Linear(width, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.decoder = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, width))

    def forward(self, x):
        return self.decoder(self.encoder(x))


def sine_patches(n, width):
    t = torch.linspace(0, 6.28, width)
    f = torch.rand(n, 1) * 3 + 0.5
    p = torch.rand(n, 1) * 6.28
    return torch.sin(f * t + p)


@torch.no_grad()
def snr(model, width):
    model.eval()
    clean = sine_patches(64, width)
    out = model(clean + 0.3 * torch.randn_like(clean))
    model.train()
    return 10 * torch.log10(clean.pow(2).sum() / (out - clean).pow(2).sum()).item()


def main():
    torch.manual_seed(9)
    width, iters = 40, 200
    model = Denoiser(width)
    probe = ActivationProbe(model, ["encoder.1", "encoder.3"])
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    crit = nn.MSELoss()
    for i in range(iters):
        clean = sine_patches(32, width)
        noisy = clean + 0.3 * torch.randn_like(clean)
        loss = crit(model(noisy), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (i + 1) % 50 == 0:
            print("iter %d  mse %.4f  snr %.2f dB" % (i + 1, loss.item(), snr(model, width)))
    probe.report()
    probe.close()


main()
