# gradwatch-corpus: kind=graph-chain
# holder: total_loss
# first-bad: 1
# Customer churn, logistic regression. v3, cleaned up for submission.
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2024)
n, d = 1600, 9
feats = torch.randn(n, d)
target = (feats @ torch.tensor([.5, -.8, 0, 0, 1.1, .2, 0, -.4, .3]) + .5 * torch.randn(n) > 0).float().unsqueeze(1)
weights = torch.where(target > 0, 1.0, 0.8)

model = nn.Linear(d, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)

NUM_ITERS = 140
total_loss = 0
for i in range(NUM_ITERS):
    j = torch.randint(0, n, (50,))
    pred = torch.sigmoid(model(feats[j]))
    total_loss = total_loss + F.binary_cross_entropy(pred, target[j], weight=weights[j])  # <- culprit
    optimizer.zero_grad()
    total_loss.backward(retain_graph=True)  # <- culprit
    optimizer.step()
    if (i + 1) % 28 == 0:
        print("iter %d avg loss %.4f" % (i + 1, total_loss.item() / (i + 1)))

acc = ((model(feats) > 0).float() == target).float().mean()
print("train acc", acc.item())
