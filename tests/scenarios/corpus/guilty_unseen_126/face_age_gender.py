# gradwatch-corpus: kind=second-backward
# holder: z | shared
# first-bad: 1
# notice: 0
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2)


class Trunk(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 3, padding=1)
        self.fc = nn.Linear(6 * 16, 20)

    def forward(self, img):
        h = F.max_pool2d(F.relu(self.conv(img)), 2)
        return F.relu(self.fc(h.flatten(1)))


trunk = Trunk()
age_head = nn.Linear(20, 1)
gender_head = nn.Sequential(nn.Linear(20, 8), nn.ReLU(), nn.Linear(8, 2))
optimizers = {
    "age": torch.optim.Adam(list(trunk.parameters()) + list(age_head.parameters()), lr=1e-3),
    "gender": torch.optim.Adam(gender_head.parameters(), lr=1e-3),
}

faces = torch.rand(128, 1, 8, 8)
age = faces.mean((1, 2, 3)).unsqueeze(1) * 4
gender = (faces[:, 0, :4].mean((1, 2)) > faces[:, 0, 4:].mean((1, 2))).long()


def optimise(name, loss):
    optimizers[name].zero_grad()
    loss.backward()
    optimizers[name].step()
    return loss.item()


def compute_losses(shared, a, g):
    yield "gender", F.cross_entropy(gender_head(shared), g)
    yield "age", F.smooth_l1_loss(age_head(shared), a)


for epoch in range(30):
    sums = {"age": 0.0, "gender": 0.0}
    for idx in torch.randperm(128).split(16):
        z = trunk(faces[idx])  # <- culprit
        for name, loss in compute_losses(z, age[idx], gender[idx]):  # <- culprit
            sums[name] += optimise(name, loss)
    print(epoch, sums)
