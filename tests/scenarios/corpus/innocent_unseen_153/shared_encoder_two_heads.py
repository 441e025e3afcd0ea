# gradwatch-corpus: kind=none
"""State representation learning: one encoder, two losses, backward'ed one after the other."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(10)


class World:
    """Rotating points seen through a random projection."""

    def __init__(self, n_obs=20):
        self.P = torch.randn(4, n_obs)

    def batch(self, n):
        z = torch.randn(n, 4)
        a = torch.randint(0, 3, (n,))
        z2 = z.roll(1, 1) * (a[:, None].float() - 1) * 0.5 + z
        return z @ self.P, a, z2 @ self.P, z.sum(1)


class Encoder(nn.Module):
    def __init__(self, n_obs, d=12):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_obs, 48), nn.ReLU(), nn.Linear(48, d))

    def forward(self, x):
        return self.net(x)


world = World()
enc = Encoder(20)
inverse = nn.Sequential(nn.Linear(24, 32), nn.ReLU(), nn.Linear(32, 3))
reward = nn.Linear(12, 1)
enc_opt = torch.optim.Adam(enc.parameters(), lr=1e-3)
inv_opt = torch.optim.Adam(inverse.parameters(), lr=1e-3)
rew_opt = torch.optim.Adam(reward.parameters(), lr=1e-3)
avg = {"inv": 0.0, "rew": 0.0}

for it in range(120):
    o, a, o2, r = world.batch(32)
    z, z2 = enc(o), enc(o2)
    inv_loss = F.cross_entropy(inverse(torch.cat([z, z2], 1)), a)
    rew_loss = F.mse_loss(reward(z).squeeze(1), r)

    for opt in (enc_opt, inv_opt, rew_opt):
        opt.zero_grad()
    inv_loss.backward(retain_graph=True)
    inv_norm = sum(p.grad.norm() ** 2 for p in enc.parameters()).sqrt().item()
    rew_loss.backward()
    for opt in (enc_opt, inv_opt, rew_opt):
        opt.step()

    avg["inv"] = 0.95 * avg["inv"] + 0.05 * inv_loss.item()
    avg["rew"] = 0.95 * avg["rew"] + 0.05 * rew_loss.item()
    if it % 30 == 0:
        print(it, {k: round(v, 4) for k, v in avg.items()}, "inverse grad %.3f" % inv_norm)
