# gradwatch-corpus: kind=graph-chain
# holder: delta
# first-bad: 1
# notice: 5
# after: BorealisAI/advertorch #68 "Fixed FGM/FGSM storing the computational graph" (adversarials handed back undetached)
# %% [markdown]
# # Universal perturbation for ECG beats, trained against ("free" adversarial training)

# %%
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2)
BEAT, LEADS = 96, 3

# %%
net = nn.Sequential(
    nn.Conv1d(LEADS, 12, 7, padding=3), nn.GELU(), nn.AvgPool1d(4),
    nn.Conv1d(12, 24, 5, padding=2), nn.GELU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(24, 4),
)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)


# %%
def beats(n):
    y = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 1, BEAT)
    x = torch.exp(-((t - 0.3 - 0.1 * y[:, None]) ** 2) / 0.002)[:, None].repeat(1, LEADS, 1)
    return x + 0.05 * torch.randn(n, LEADS, BEAT), y


def attack(x, y, delta, eps=2e-3):
    loss = F.cross_entropy(net(x + delta), y)
    (g,) = torch.autograd.grad(loss, delta)
    return delta + eps * g.sign()  # <- culprit


# %%
delta = torch.zeros(1, LEADS, BEAT, requires_grad=True)
for step in range(100):
    x, y = beats(20)
    delta = attack(x, y, delta)  # <- culprit
    logits = net(torch.cat([x, x + delta]))
    loss = F.cross_entropy(logits, torch.cat([y, y]))
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 25 == 0:
        print(step, round(loss.item(), 4), "max |delta|", round(delta.abs().max().item(), 4))
