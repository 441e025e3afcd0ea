# gradwatch-corpus: kind=second-backward
# holder: shared | z | feats
# first-bad: 0
# notice: 0
"""Question from a forum: age + smoker heads on the same methylation trunk, one optimizer for each head."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(99)

trunk = nn.Sequential(nn.Linear(30, 16), nn.ReLU(), nn.Linear(16, 8), nn.ReLU())
age_head = nn.Linear(8, 1)
smoke_head = nn.Linear(8, 2)
opts = {
    "age": torch.optim.Adam(list(trunk.parameters()) + list(age_head.parameters()), lr=1e-3),
    "smoke": torch.optim.Adam(smoke_head.parameters(), lr=1e-3),
}

beta = torch.rand(64, 30)
age = 20 + 50 * beta[:, :3].mean(1)
smoker = (beta[:, 5] > 0.5).long()

for epoch in range(30):
    perm = torch.randperm(64)
    for idx in perm.split(16):
        feats = trunk(beta[idx])
        objectives = {
            "age": F.l1_loss(age_head(feats).squeeze(1), age[idx] / 70),
            "smoke": F.cross_entropy(smoke_head(feats), smoker[idx]),
        }
        for o in opts.values():
            o.zero_grad()
        for name, obj in objectives.items():
            obj.backward()  # <- culprit
        for o in opts.values():
            o.step()
    print(epoch, {k: round(v.item(), 3) for k, v in objectives.items()})
