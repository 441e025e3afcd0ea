# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""1-D speech-like denoiser with a table of loss terms.
Weights are set per experiment, every term shows up in the log so that runs stay comparable."""
import torch
import torch.nn as nn
import torch.nn.functional as F

STEPS = 210
N = 256
BATCH = 8

WEIGHTS = {"l1": 1.0, "stft_64": 0.0, "stft_32": 0.0, "stft_16": 0.0, "slope": 0.0, "sisdr": 0.0}


class Denoiser(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.enc1 = nn.Conv1d(1, ch, 9, padding=4)
        self.enc2 = nn.Conv1d(ch, ch, 9, padding=8, dilation=2)
        self.enc3 = nn.Conv1d(ch, ch, 9, padding=16, dilation=4)
        self.dec = nn.Conv1d(ch, 1, 9, padding=4)

    def forward(self, x):
        h = F.relu(self.enc1(x.unsqueeze(1)))
        h = h + F.relu(self.enc2(h))
        h = h + F.relu(self.enc3(h))
        return x - self.dec(h).squeeze(1)


def magnitude(signal, n_fft, window):
    spec = torch.stft(signal, n_fft, hop_length=n_fft // 4, window=window, return_complex=True)
    return spec.abs().clamp_min(1e-5)


class SpectralTerm:
    def __init__(self, n_fft):
        self.n_fft = n_fft
        self.window = torch.hann_window(n_fft)

    def __call__(self, out, ref):
        a, b = magnitude(out, self.n_fft, self.window), magnitude(ref, self.n_fft, self.window)
        converge = (a - b).norm() / b.norm()
        return converge + (a.log() - b.log()).abs().mean()


def slope(out, ref):
    return F.l1_loss(out.diff(dim=-1), ref.diff(dim=-1))


def sisdr(out, ref):
    scale = (out * ref).sum(-1, keepdim=True) / ref.pow(2).sum(-1, keepdim=True)
    target = scale * ref
    ratio = target.pow(2).sum(-1) / (out - target).pow(2).sum(-1).clamp_min(1e-8)
    return -10 * torch.log10(ratio).mean()


TERMS = {
    "l1": F.l1_loss,
    "stft_64": SpectralTerm(64),
    "stft_32": SpectralTerm(32),
    "stft_16": SpectralTerm(16),
    "slope": slope,
    "sisdr": sisdr,
}


class Objective:
    def __init__(self, weights):
        self.weights = weights
        self.log = {name: 0.0 for name in weights}

    def __call__(self, out, ref):
        terms = {name: TERMS[name](out, ref) for name in self.weights}  # <- culprit
        for name, value in terms.items():
            self.log[name] = 0.9 * self.log[name] + 0.1 * value.item()
        return sum(w * terms[name] for name, w in self.weights.items() if w > 0)

    def line(self):
        return "  ".join(f"{k} {v:.3f}" for k, v in self.log.items())


def clip_batch(rng):
    t = torch.linspace(0, 1, N)
    f0 = 4 + 12 * torch.rand(BATCH, 1, generator=rng)
    clean = sum(torch.sin(2 * torch.pi * k * f0 * t) / k for k in (1, 2, 3))
    clean = clean * (0.3 + torch.rand(BATCH, 1, generator=rng))
    return clean + 0.3 * torch.randn(BATCH, N, generator=rng), clean


def main():
    torch.manual_seed(42)
    rng = torch.Generator().manual_seed(43)
    net = Denoiser()
    objective = Objective(WEIGHTS)
    optim = torch.optim.Adam(net.parameters(), 2e-3)
    for step in range(STEPS):
        noisy, clean = clip_batch(rng)
        loss = objective(net(noisy), clean)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if step % 70 == 69:
            print(f"{step + 1:4d}  {objective.line()}")


if __name__ == "__main__":
    main()
