# gradwatch-corpus: kind=none
"""Acoustic impedance from seismic traces with a residual network that gains a block every 50 steps, up to four.

The blocks are recomputed in backward; the deep surveys do not fit otherwise.
"""
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class ResBlock(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(channels, channels, 3, padding=dilation, dilation=dilation), nn.GELU(),
            nn.Conv1d(channels, channels, 1),
        )
        self.gate = nn.Parameter(torch.zeros(1))

    def forward(self, z):
        return z + self.gate * self.body(z)


class ImpedanceNet(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.channels = channels
        self.stem = nn.Conv1d(1, channels, 7, padding=3)
        self.blocks = nn.ModuleList()
        self.tail = nn.Sequential(nn.Conv1d(channels, channels, 3, padding=1), nn.GELU(),
                                  nn.Conv1d(channels, channels, 3, padding=1), nn.GELU())
        self.out = nn.Conv1d(channels, 1, 1)

    def grow(self):
        block = ResBlock(self.channels, dilation=2 ** len(self.blocks))
        self.blocks.append(block)
        return block

    def forward(self, trace):
        z = self.stem(trace)
        for number, block in enumerate(self.blocks):
            if self.training:
                z = checkpoint(block, z, use_reentrant=number % 2 == 1)
            else:
                z = block(z)
        if self.training:
            z = checkpoint_sequential(self.tail, 2, z, use_reentrant=False)
        else:
            z = self.tail(z)
        return self.out(z)


def ricker(length=21, freq=0.12):
    t = torch.arange(length) - length // 2
    a = (3.1416 * freq * t) ** 2
    return ((1 - 2 * a) * torch.exp(-a)).view(1, 1, -1)


def survey(n, gen, samples=96):
    """Traces of a blocky earth, and the impedance relative to its running mean."""
    jumps = torch.randn(n, 1, samples, generator=gen) * (torch.rand(n, 1, samples, generator=gen) < 0.08)
    impedance = torch.cumsum(jumps, dim=-1)
    reflect = torch.diff(impedance, dim=-1, prepend=impedance[..., :1])
    trace = nn.functional.conv1d(reflect, ricker(), padding=10)
    trace = trace + 0.03 * torch.randn(trace.shape, generator=gen)
    smooth = nn.functional.avg_pool1d(impedance, 15, stride=1, padding=7, count_include_pad=False)
    return trace, impedance - smooth


@torch.no_grad()
def blind_well(net, wells):
    net.eval()
    trace, impedance = wells
    error = nn.functional.l1_loss(net(trace), impedance).item()
    net.train()
    return error


def main(steps=260, max_blocks=4):
    torch.manual_seed(500)
    gen = torch.Generator().manual_seed(500)
    net = ImpedanceNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    wells = survey(16, gen)
    for step in range(steps):
        if step % 50 == 0 and len(net.blocks) < max_blocks:
            optimizer.add_param_group({"params": net.grow().parameters(), "lr": 2e-3})
        trace, impedance = survey(8, gen)
        loss = nn.functional.l1_loss(net(trace), impedance)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 65 == 64:
            print(f"{step + 1}: blocks {len(net.blocks)}  loss {loss.item():.4f}  blind {blind_well(net, wells):.4f}")


if __name__ == "__main__":
    main()
