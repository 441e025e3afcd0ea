# gradwatch-corpus: kind=none
import torch
from torch import nn

from reporter import Reporter


def noisy_frames(n, g):
    t = torch.linspace(0, 1, 32)
    f = 2 + 6 * torch.rand(n, 1, generator=g)
    clean = torch.sin(6.2832 * f * t)
    return clean + 0.3 * torch.randn(n, 32, generator=g), clean


def main():
    torch.set_num_threads(1)
    torch.manual_seed(21)
    g = torch.Generator().manual_seed(22)
    net = nn.Sequential(nn.Linear(32, 48), nn.ELU(), nn.Linear(48, 32))
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    reporter = Reporter(group=20, backlog=50)
    reporter.start()
    for step in range(600):
        x, clean = noisy_frames(16, g)
        out = net(x)
        loss = (out - clean).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        reporter.submit(step, loss, out, clean)
    for step, loss, snr in reporter.close()[4::5]:
        print(f"step {step:4d} mse {loss:.4f} snr {snr:.2f} dB")


if __name__ == "__main__":
    main()
