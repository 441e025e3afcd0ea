# gradwatch-corpus: kind=memory-climb
# holder: pack_frame.trail | pack_frame
# first-bad: 0
# notice: 60
"""Learned image codec on random textures; the bit rate is measured with a real byte packer."""
import zlib

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class Codec(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, 24, 5, stride=2, padding=2), nn.GELU(), nn.Conv2d(24, ch, 3, padding=1))
        self.dec = nn.Sequential(nn.Conv2d(ch, 24, 3, padding=1), nn.GELU(), nn.ConvTranspose2d(24, 3, 4, stride=2, padding=1))
        self.scale = nn.Parameter(torch.full((1, ch, 1, 1), 6.0))

    def forward(self, x):
        z = self.enc(x) * self.scale
        if self.training:
            q = z + torch.empty_like(z).uniform_(-0.5, 0.5)
        else:
            q = z.round()
        return self.dec(q / self.scale), z


def pack_frame(latent):
    """Packs a quantised latent into a container: a header of four integers and the symbols."""
    symbols = latent.round().clamp(-32768, 32767).numpy().astype(np.int16)
    header = np.array(symbols.shape, dtype=np.int32).tobytes()
    payload = symbols.tobytes()
    pack_frame.trail += header + payload  # <- culprit
    pack_frame.frames += 1
    return header + zlib.compress(payload, 1)


pack_frame.trail = b""
pack_frame.frames = 0


def textures(gen, n=12, size=64):
    base = torch.randn(n, 3, size // 8, size // 8, generator=gen)
    x = F.interpolate(base, size=(size, size), mode="bilinear", align_corners=False)
    return x + 0.05 * torch.randn(n, 3, size, size, generator=gen)


class RateMeter:
    def __init__(self):
        self.bits = 0
        self.pixels = 0

    def update(self, packed, x):
        self.bits += 8 * len(packed)
        self.pixels += x.shape[0] * x.shape[2] * x.shape[3]

    def bpp(self):
        return self.bits / max(1, self.pixels)


def main():
    torch.manual_seed(21)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(12)
    codec = Codec()
    opt = torch.optim.Adam(codec.parameters(), lr=2e-3)
    meter = RateMeter()
    for it in range(100):
        x = textures(gen)
        rec, z = codec(x)
        rate = torch.log2(1 + z.abs()).mean()
        loss = F.mse_loss(rec, x) + 0.02 * rate
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(pack_frame(z.detach()), x)
        if it % 20 == 0:
            print(f"{it:3d} loss {loss.item():.4f} bpp {meter.bpp():.3f}")
    print("frames", pack_frame.frames, "bpp", round(meter.bpp(), 3))


if __name__ == "__main__":
    main()
