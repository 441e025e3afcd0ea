# gradwatch-corpus: kind=none
import torch
from torch import nn

from critic import critic_loss

torch.set_num_threads(1)
torch.manual_seed(4)


def mlp(*sizes):
    layers = []
    for a, b in zip(sizes, sizes[1:]):
        layers += [nn.Linear(a, b), nn.SiLU()]
    return nn.Sequential(*layers[:-1])


def showers(n):
    e = torch.distributions.Gamma(3.0, 1.0).sample((n, 1))
    return torch.cat([e, e * 0.4 + 0.1 * torch.randn(n, 1), torch.randn(n, 1)], 1)


gen, critic = mlp(4, 24, 3), mlp(3, 24, 24, 1)
opt_g = torch.optim.RMSprop(gen.parameters(), lr=5e-4)
opt_c = torch.optim.RMSprop(critic.parameters(), lr=5e-4)
for it in range(220):
    for _ in range(3):
        real, fake = showers(24), gen(torch.randn(24, 4)).detach()
        loss_c = critic_loss(critic, real, fake)
        opt_c.zero_grad(set_to_none=True)
        loss_c.backward()
        opt_c.step()
    loss_g = -critic(gen(torch.randn(24, 4))).mean()
    opt_g.zero_grad(set_to_none=True)
    loss_g.backward()
    opt_g.step()
    if it % 50 == 0:
        print(it, f"critic {loss_c.item():.3f} gen {loss_g.item():.3f}")
