# gradwatch-corpus: kind=memory-climb
# holder: self.shots | album.shots
# first-bad: 1
# notice: 60
"""Clean up lighthouse camera frames (denoising autoencoder) and keep an album of the work."""
import torch
import torch.nn.functional as F

from .album import Album
from .camera import Denoiser, frames

torch.set_num_threads(1)
torch.manual_seed(45)


def main():
    net = Denoiser()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    album = Album()
    for n, (noisy, clean) in enumerate(frames(90)):
        opt.zero_grad()
        out = net(noisy)
        loss = F.mse_loss(out, clean)
        loss.backward()
        opt.step()
        album.add(n, noisy=noisy, restored=out, clean=clean)
        if n % 15 == 14:
            print(f"frame set {n + 1}: loss {loss.item():.4f}, {album.caption()}")


main()
