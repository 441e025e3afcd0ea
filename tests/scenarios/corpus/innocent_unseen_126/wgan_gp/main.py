# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
torch.manual_seed(102)

from critic import Critic, gradient_penalty
from torch import nn

gen = nn.Sequential(nn.Linear(6, 20), nn.Softplus(), nn.Linear(20, 8))
critic = Critic(8)
opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-4)
opt_g = torch.optim.RMSprop(gen.parameters(), lr=5e-4)
mix = torch.randn(3, 8)


def real(n):
    return torch.rand(n, 3) @ mix


gp_log = []
for it in range(260):
    for _ in range(3):
        x, fake = real(16), gen(torch.randn(16, 6)).detach()
        gp = gradient_penalty(critic, x, fake)
        loss_c = critic(fake).mean() - critic(x).mean() + 10 * gp
        opt_c.zero_grad()
        loss_c.backward()
        opt_c.step()
        gp_log.append(float(gp))
    for p in critic.parameters():
        p.requires_grad_(False)
    loss_g = -critic(gen(torch.randn(16, 6))).mean()
    opt_g.zero_grad()
    loss_g.backward()
    opt_g.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    if it % 50 == 0:
        print(it, loss_c.item(), loss_g.item(), sum(gp_log[-30:]) / len(gp_log[-30:]))
