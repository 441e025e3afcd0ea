# gradwatch-corpus: kind=graph-held
# holder: encoder[2]._forward_hooks.store | encoder[2]._forward_hooks | encoder[4]._forward_hooks | encoder._modules | layer._forward_hooks | module._forward_hooks | self.features | extractor.features | store | encoder | net.encoder | lab.encoder
# first-bad: 2
# notice: 8
# after: KamitaniLab/bdpy #72 "Forward Hooks Persist After Destroying FeatureExtractor"
"""Texture synthesis for a small material library: fit a decoder so that encoder features agree.

Each call of `reconstruct` treats one exemplar for a few steps; decoder weights go on to the next one.
"""
import torch
from torch import nn

from probes import FeatureExtractor

LAYERS = {"early": 2, "middle": 4}


def make_encoder():
    net = nn.Sequential(
        nn.Conv2d(3, 12, 3, padding=1), nn.ReLU(),
        nn.Conv2d(12, 16, 3, stride=2, padding=1), nn.ReLU(),
        nn.Conv2d(16, 24, 3, stride=2, padding=1), nn.ReLU())
    return net.requires_grad_(False).eval()


class Decoder(nn.Module):
    def __init__(self, z=16):
        super().__init__()
        self.lift = nn.Linear(z, 16 * 6 * 6)
        self.body = nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(16, 12, 3, padding=1), nn.ReLU(),
                                  nn.Upsample(scale_factor=2), nn.Conv2d(12, 3, 3, padding=1), nn.Sigmoid())

    def forward(self, z):
        return self.body(self.lift(z).view(-1, 16, 6, 6))


def gram(f):
    f = f.flatten(2)
    return torch.einsum("bcn,bdn->bcd", f, f) / f.shape[-1]


def style_distance(mine, theirs):
    return 300 * sum((gram(mine[k]) - gram(theirs[k])).pow(2).mean() for k in theirs)


def reconstruct(encoder, decoder, optimizer, exemplar, steps=2):
    """Returns the distances of this exemplar."""
    extractor = FeatureExtractor(encoder, LAYERS)
    with torch.no_grad():
        target = extractor(exemplar)
    trace = []
    for _ in range(steps):
        z = torch.randn(exemplar.shape[0], 16)
        loss = style_distance(extractor(decoder(z)), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        trace.append(loss.item())
    return trace


def library(n):
    """Stripes of various directions and colours."""
    yy, xx = torch.meshgrid(torch.arange(24.0), torch.arange(24.0), indexing="ij")
    for i in range(n):
        phase = xx * torch.cos(torch.tensor(0.3 * i)) + yy * torch.sin(torch.tensor(0.3 * i))
        colour = torch.rand(3, 1, 1)
        yield ((phase.sin() > 0).float() * colour).expand(4, 3, 24, 24)


def main():
    torch.manual_seed(6)
    encoder, decoder = make_encoder(), Decoder()
    optimizer = torch.optim.Adam(decoder.parameters(), lr=2e-3)
    for number, exemplar in enumerate(library(32)):
        trace = reconstruct(encoder, decoder, optimizer, exemplar)
        if number % 8 == 0:
            print(f"exemplar {number:2d}: {trace[0]:.4f} -> {trace[-1]:.4f}")


if __name__ == "__main__":
    main()
