# gradwatch-corpus: kind=memory-climb
# holder: self._done | ds._done | self.ds._done | dataset._done | loader.dataset._done
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
from torch import nn
from torch.utils.data import DataLoader

from dataset import AugmentedImages

torch.manual_seed(1)
dataset = AugmentedImages(n=160, size=128)
loader = DataLoader(dataset, batch_size=8, shuffle=True)
net = nn.Sequential(
    nn.Conv2d(3, 6, 5, stride=4), nn.ReLU(), nn.Conv2d(6, 12, 3, stride=2), nn.ReLU(),
    nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 4),
)
opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)

for epoch in range(7):
    dataset.set_epoch(epoch)
    right = seen = 0
    for x, y in loader:
        out = net(x)
        loss = nn.functional.cross_entropy(out, y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        right += (out.detach().argmax(1) == y).sum().item()
        seen += len(y)
    print(f"epoch {epoch} acc {right / seen:.3f}")
