# gradwatch-corpus: kind=graph-chain
# holder: total_loss
# first-bad: 1
# notice: 5
"""
Rent prediction for the tenants' association.

[1] fake listings  [2] linear model  [3] training  [4] coefficients
"""
import torch

torch.set_num_threads(1)
torch.manual_seed(16)

# [1]
n = 256
area = torch.empty(n).uniform_(25, 120)
rooms = (area / 25).round().clamp(1)
floor = torch.randint(0, 7, (n,)).float()
balcony = (torch.rand(n) > 0.5).float()
rent = 9.5 * area + 40 * rooms + 5 * floor + 35 * balcony + 30 * torch.randn(n)

feats = torch.stack([area, rooms, floor, balcony], dim=1)
feats = (feats - feats.mean(0)) / feats.std(0)
target = (rent - rent.mean()) / rent.std()

# [2]
lin = torch.nn.Linear(4, 1)
sgd = torch.optim.SGD(lin.parameters(), lr=1e-4)
mse = torch.nn.MSELoss()

# [3]
total_loss = 0
for epoch in range(40):
    order = torch.randperm(n)
    for chunk in order.chunk(8):
        sgd.zero_grad()
        fit = lin(feats[chunk]).squeeze(1)
        total_loss += mse(fit, target[chunk])  # <- culprit
        total_loss.backward(retain_graph=True)
        sgd.step()
    if epoch % 10 == 0:
        print(f"epoch {epoch}: total {total_loss.item():.2f}")

# [4]
for name, w in zip(["area", "rooms", "floor", "balcony"], lin.weight[0].tolist()):
    print(f"{name:>8s} {w:+.3f}")
