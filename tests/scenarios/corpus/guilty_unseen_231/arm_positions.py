# gradwatch-corpus: kind=second-backward
# holder: place | place_code
# first-bad: 1
# Robot arm in a workshop: predict which of the 9 fixed bins the gripper is nearest to.
# Course project, part 2 (with learned descriptions of the bins)
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(21)

L1 = 0.6
L2 = 0.45

angles = (torch.rand(1500, 2) - 0.5) * 3.0
xy = torch.stack([
    L1 * torch.cos(angles[:, 0]) + L2 * torch.cos(angles.sum(1)),
    L1 * torch.sin(angles[:, 0]) + L2 * torch.sin(angles.sum(1)),
], dim=1)

grid = torch.linspace(-0.8, 0.8, 3)
bins = torch.cartesian_prod(grid, grid)
nearest = torch.cdist(xy, bins).argmin(1)

noisy = angles + 0.01 * torch.randn_like(angles)
loader = DataLoader(TensorDataset(noisy, nearest), batch_size=50, shuffle=True)

joint_net = nn.Sequential(
    nn.Linear(4, 32),
    nn.ELU(),
    nn.Linear(32, 16),
)
place_net = nn.Sequential(
    nn.Linear(2, 32),
    nn.ELU(),
    nn.Linear(32, 16),
)
parameters = list(joint_net.parameters()) + list(place_net.parameters())
optimizer = torch.optim.Adam(parameters, lr=0.01)
loss_fn = nn.CrossEntropyLoss()

place_code = place_net(bins)  # <- culprit
place = nn.functional.normalize(place_code, dim=1)  # <- culprit

n_epochs = 4
for epoch in range(n_epochs):
    seen = 0
    right = 0
    loss_sum = 0.0
    for q, target in loader:
        feats = torch.cat([q.sin(), q.cos()], dim=1)
        code = nn.functional.normalize(joint_net(feats), dim=1)
        scores = 10.0 * code @ place.t()
        loss = loss_fn(scores, target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        seen += len(target)
        right += (scores.argmax(1) == target).sum().item()
        loss_sum += loss.item() * len(target)
    print(f"epoch {epoch}: loss {loss_sum / seen:.4f}, accuracy {right / seen:.3f}")
