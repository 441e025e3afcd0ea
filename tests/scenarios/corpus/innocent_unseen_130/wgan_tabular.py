# gradwatch-corpus: kind=none
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(14)


def trainable(net, on):
    for p in net.parameters():
        p.requires_grad_(on)


def penalty(critic, real, fake):
    a = torch.rand(len(real), 1)
    mix = (a * real + (1 - a) * fake).requires_grad_()
    (g,) = torch.autograd.grad(critic(mix).sum(), mix, create_graph=True)
    return (g.norm(dim=1) - 1).square().mean()


gen = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 3))
critic = nn.Sequential(nn.Linear(3, 24), nn.Softplus(), nn.Linear(24, 1))
go = torch.optim.Adam(gen.parameters(), 1e-3, betas=(0.0, 0.9))
co = torch.optim.Adam(critic.parameters(), 1e-3, betas=(0.0, 0.9))
mixing = torch.randn(3, 3)
trace = []
for it in range(500):
    trainable(critic, True)
    for _ in range(2):
        real = torch.randn(24, 3) @ mixing
        with torch.no_grad():
            fake = gen(torch.randn(24, 5))
        loss = critic(fake).mean() - critic(real).mean() + 10 * penalty(critic, real, fake)
        co.zero_grad()
        loss.backward()
        co.step()
    trainable(critic, False)
    g_loss = -critic(gen(torch.randn(24, 5))).mean()
    go.zero_grad()
    g_loss.backward()
    go.step()
    trace.append((loss.item(), g_loss.item()))
print(trace[0], trace[-1])
