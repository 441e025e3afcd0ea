# gradwatch-corpus: kind=memory-climb
# holder: self.frames | gallery.frames
# first-bad: 1
# notice: 60
import torch

torch.set_num_threads(1)

from gallery import Gallery
from unet import SmallUNet, phantom

torch.manual_seed(15)
net = SmallUNet()
opt = torch.optim.Adam(net.parameters(), lr=2e-3)
gallery = Gallery(rows=6)

for it in range(450):
    clean = phantom(6)
    noisy = clean + 0.3 * torch.randn_like(clean)
    out = net(noisy)
    loss = (out - clean).abs().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    gallery.keep(noisy, out, clean)
    if it % 90 == 0:
        print(it, f"L1 {loss.item():.4f}", f"frames {len(gallery)}")
gallery.summary()
