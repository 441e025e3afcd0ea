# gradwatch-corpus: kind=crashed
# holder: synthetic.images | self.images | images
# first-bad: 0
# notice: 0
import torch
from torch import nn
from torch.utils.data import DataLoader

from synthetic import Synthetic, collate

torch.set_num_threads(1)
torch.manual_seed(808)

TEMPLATES = torch.randn(4, 1, 8, 8)


def reference_features(extractor, n=40):
    which = torch.arange(n) % 4
    real = TEMPLATES[which] + 0.2 * torch.randn(n, 1, 8, 8)
    with torch.no_grad():
        f = extractor(real)
    return torch.stack([f[which == c].mean(0) for c in range(4)])


extractor = nn.Sequential(nn.Conv2d(1, 6, 3), nn.ReLU(), nn.AvgPool2d(2), nn.Flatten()).requires_grad_(False)
wanted = reference_features(extractor)

synthetic = Synthetic(per_class=2, classes=4)
opt = torch.optim.SGD([synthetic.images], lr=0.5)
loader = DataLoader(synthetic, batch_size=4, shuffle=True, collate_fn=collate)

for sweep in range(100):
    for image, cls in loader:
        gap = (extractor(image) - wanted[cls]).square().sum(1).mean()
        opt.zero_grad()
        gap.backward()
        opt.step()
    if sweep % 20 == 0:
        print("sweep", sweep, gap.item())
