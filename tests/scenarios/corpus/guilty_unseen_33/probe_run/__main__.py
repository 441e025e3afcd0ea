# gradwatch-corpus: kind=graph-held
# holder: taps | taps[name] | taps["enc"] | taps["dec"] | acts | acts["enc"] | acts["dec"] | acts[name] | calls
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F

from .probekit import recording, summarize


class Denoiser(nn.Module):
    def __init__(self, width=40, code=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(width, 32), nn.GELU(), nn.Linear(32, code))
        self.dec = nn.Sequential(nn.Linear(code, 32), nn.GELU(), nn.Linear(32, width))

    def forward(self, x):
        return self.dec(self.enc(x))


def batches(count, size=16, width=40):
    basis = torch.randn(5, width)
    for _ in range(count):
        clean = torch.randn(size, 5) @ basis
        yield clean + 0.3 * torch.randn_like(clean), clean


def train(model, steps):
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for i, (noisy, clean) in enumerate(batches(steps)):
        loss = F.smooth_l1_loss(model(noisy), clean)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if i % 25 == 0:
            print(f"step {i:3d} loss {loss.item():.4f}")


def main():
    torch.manual_seed(3)
    model = Denoiser()
    with recording(model, ["enc", "dec"]) as acts:
        train(model, steps=100)
    for name, (mean, std) in summarize(acts).items():
        print(f"{name}: last-batch mean {mean:+.3f} std {std:.3f}, {len(acts[name])} calls")


if __name__ == "__main__":
    main()
