# gradwatch-corpus: kind=crashed
# line: shapes.py:20: code = torch.as_tensor(self.codes[i].tolist())
# first-bad: 150
# notice: 0
"""Auto-decoder of 2-D signed distances: joint training, then fitting codes of unseen shapes with the decoder fixed."""
import torch
torch.set_num_threads(1)
from torch.utils.data import DataLoader

from decoder import SDFDecoder, clamp_l1
from shapes import ShapeSet


def joint_training(decoder, shapes, epochs):
    opt = torch.optim.Adam([{"params": decoder.parameters(), "lr": 2e-3}, {"params": [shapes.codes], "lr": 1e-2}])
    for _ in range(epochs):
        for code, xy, sdf in DataLoader(shapes, batch_size=4, shuffle=True):
            loss = clamp_l1(decoder(code, xy), sdf)
            opt.zero_grad()
            loss.backward()
            opt.step()
    return loss.item()


def fit_codes(decoder, shapes, epochs):
    decoder.requires_grad_(False)
    opt = torch.optim.Adam([shapes.codes], lr=1e-2)
    for _ in range(epochs):
        for code, xy, sdf in DataLoader(shapes, batch_size=4):
            loss = clamp_l1(decoder(code, xy), sdf) + 1e-3 * code.square().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(4)
    dec = SDFDecoder(latent=6, width=32)
    print("joint", joint_training(dec, ShapeSet(24, latent=6, points=40), epochs=25))
    print("unseen", fit_codes(dec, ShapeSet(8, latent=6, points=40), epochs=100))
