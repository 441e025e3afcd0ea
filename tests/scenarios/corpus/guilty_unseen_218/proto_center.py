# gradwatch-corpus: kind=graph-chain
# holder: center
# first-bad: 1
"""Deep one-class description with a moving centre, streaming sensor windows."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

WIN, DIM, BATCH = 48, 16, 64


def stream(step, n=BATCH):
    t = torch.arange(WIN).float()
    f = 0.1 + 0.02 * torch.rand(n, 1) + 0.0003 * step
    ph = 6.28 * torch.rand(n, 1)
    return torch.sin(f * t + ph) + 0.1 * torch.randn(n, WIN)


def augment(x):
    scale = 1 + 0.1 * torch.randn(x.size(0), 1)
    return scale * x + 0.05 * torch.randn_like(x)


embed = nn.Linear(WIN, DIM)
optimizer = torch.optim.SGD(embed.parameters(), lr=0.05, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 50, gamma=0.5)

momentum = 0.9
center = torch.zeros(DIM)
scores = []

for step in range(150):
    x = stream(step)
    z1 = torch.tanh(embed(x))
    z2 = torch.tanh(embed(augment(x)))

    batch_mean = 0.5 * (z1.mean(0) + z2.mean(0))
    center = momentum * center + (1 - momentum) * batch_mean  # <- culprit

    compact = ((z1 - center) ** 2).sum(1).mean()
    agree = F.mse_loss(z1, z2)
    spread = F.relu(0.5 - z1.std(0)).mean()
    loss = compact + agree + 2.0 * spread

    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()
    scheduler.step()

    with torch.no_grad():
        odd = torch.randn(BATCH, WIN)
        s_in = (torch.tanh(embed(x)) - center).norm(dim=1)
        s_out = (torch.tanh(embed(odd)) - center).norm(dim=1)
        scores.append((s_in.mean().item(), s_out.mean().item()))

    if step % 30 == 29:
        print(step, round(loss.item(), 4), scores[-1])
