# gradwatch-corpus: kind=memory-climb
# holder: self.cache | model.cache | cache
# about: detached activations cached under a key that never comes again
import torch
from torch import nn


class CachedBackbone(nn.Module):
    """Runs a frozen backbone once per batch and remembers what it gave."""

    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(64, 1024), nn.ReLU()).requires_grad_(False)
        self.head = nn.Linear(1024, 1)
        self.cache = {}

    def features(self, key, x):
        if key not in self.cache:
            self.cache[key] = self.backbone(x)  # <- culprit
        return self.cache[key]

    def forward(self, key, x):
        return self.head(self.features(key, x))


torch.manual_seed(0)
model = CachedBackbone()
optimizer = torch.optim.Adam(model.head.parameters(), lr=1e-3)
for step in range(60):
    x = torch.randn(512, 64)
    loss = (model((step, x.data_ptr()), x) - x.mean(1, keepdim=True)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, loss.item(), len(model.cache))
