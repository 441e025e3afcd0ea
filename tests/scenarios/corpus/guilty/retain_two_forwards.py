# gradwatch-corpus: kind=retain-needless
# about: two forwards make two graphs; retaining the first helps nobody
import torch
from torch import nn

torch.manual_seed(0)


def noisy(x, sigma=0.1):
    return x + sigma * torch.randn_like(x)


model = nn.Sequential(nn.Linear(12, 40), nn.ReLU(), nn.Linear(40, 12))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

for step in range(60):
    x = torch.randn(32, 12)
    optimizer.zero_grad()
    clean_loss = nn.functional.mse_loss(model(x), x)
    clean_loss.backward(retain_graph=True)  # <- culprit
    noisy_loss = nn.functional.mse_loss(model(noisy(x)), x)
    noisy_loss.backward()
    optimizer.step()
    if step % 20 == 0:
        print(step, clean_loss.item(), noisy_loss.item())
