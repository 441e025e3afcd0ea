# gradwatch-corpus: kind=none
# Land cover from 5 bands of satellite patches; notebook flattened to one file

# %%
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(12)
classes = ["water", "forest", "field", "town"]

# %%
signature = torch.rand(4, 5)
labels = torch.randint(0, 4, (800,))
patches = signature[labels].view(800, 5, 1, 1) + 0.3 * torch.randn(800, 5, 8, 8)
loader = DataLoader(TensorDataset(patches, labels), batch_size=40, shuffle=True)

# %%
model = nn.Sequential(
    nn.Conv2d(5, 12, 3, padding=1),
    nn.ReLU(),
    nn.Conv2d(12, 12, 3, padding=1),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(12, 4),
)

# %%
features = {}


def grab(name):
    def hook(module, inputs, output):
        features[name] = output
    return hook


handles = [
    model[1].register_forward_hook(grab("first")),
    model[3].register_forward_hook(grab("second")),
]

# %%
opt = torch.optim.Adam(model.parameters(), lr=0.01)
ce = nn.CrossEntropyLoss()
epoch_outputs = []
for epoch in range(6):
    epoch_outputs.clear()
    penalty_sum = 0.0
    for x, y in loader:
        out = model(x)
        penalty = features["first"].abs().mean() + features["second"].abs().mean()
        loss = ce(out, y) + 1e-3 * penalty
        opt.zero_grad()
        loss.backward()
        opt.step()
        penalty_sum += penalty.item()
        epoch_outputs.append((out.detach().argmax(1), y))
    pred = torch.cat([p for p, _ in epoch_outputs])
    true = torch.cat([t for _, t in epoch_outputs])
    acc = (pred == true).float().mean().item()
    print(f"epoch {epoch} accuracy {acc:.3f} penalty {penalty_sum / len(loader):.3f}")

# %%
for h in handles:
    h.remove()
features.clear()
with torch.no_grad():
    table = torch.zeros(4, 4, dtype=torch.long)
    for t, p in zip(labels, model(patches).argmax(1)):
        table[t, p] += 1
for name, row in zip(classes, table.tolist()):
    print(f"{name:>8s}", row)
