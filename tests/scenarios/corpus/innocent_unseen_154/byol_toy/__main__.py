# gradwatch-corpus: kind=none
# Bootstrap your own latent, with a linear probe at the end.
import torch
import torch.nn as nn
import torch.nn.functional as F

from .nets import BYOL

torch.set_num_threads(1)
torch.manual_seed(33)

centers = torch.randn(8, 20) * 2


def sample(n):
    y = torch.randint(0, 8, (n,))
    return centers[y] + 0.4 * torch.randn(n, 20), y


def augment(x):
    return x * (torch.rand_like(x) > 0.15) + 0.1 * torch.randn_like(x)


def linear_probe(encoder, steps=80):
    encoder.eval()
    probe = nn.Linear(16, 8)
    opt = torch.optim.Adam(probe.parameters(), 5e-2)
    for _ in range(steps):
        x, y = sample(128)
        with torch.no_grad():
            z = encoder(x)
        loss = F.cross_entropy(probe(z), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    x, y = sample(400)
    with torch.no_grad():
        return (probe(encoder(x)).argmax(1) == y).float().mean().item()


learner = BYOL(20)
opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
for it in range(120):
    x, _ = sample(64)
    loss = learner(augment(x), augment(x))
    opt.zero_grad()
    loss.backward()
    opt.step()
    learner.update()
    if it % 30 == 0:
        print(it, "byol loss", round(loss.item(), 4))
print("probe acc", linear_probe(learner.online_encoder))
