# gradwatch-corpus: kind=none
# VAE with a nuisance predictor on z; encoder gets its gradient norms measured per term
import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, d, z):
        super().__init__()
        self.fc = nn.Linear(d, 32)
        self.mu = nn.Linear(32, z)
        self.lv = nn.Linear(32, z)

    def forward(self, x):
        h = F.elu(self.fc(x))
        mu = self.mu(h)
        lv = self.lv(h)
        z = mu + torch.randn_like(mu) * (0.5 * lv).exp()
        return z, mu, lv


def data(n):
    s = torch.randint(2, (n,))
    c = torch.randn(n, 3)
    W = torch.linspace(-1, 1, 48).view(4, 12)
    x = torch.cat([c, s[:, None].float()], 1) @ W
    return x + 0.05 * torch.randn(n, 12), s


def grad_vec(params):
    return torch.cat([p.grad.flatten() for p in params])


torch.manual_seed(55)
E = Encoder(12, 4)
D = nn.Sequential(nn.Linear(4, 32), nn.ELU(), nn.Linear(32, 12))
A = nn.Sequential(nn.Linear(4, 16), nn.ELU(), nn.Linear(16, 2))
opt_vae = torch.optim.Adam(list(E.parameters()) + list(D.parameters()), lr=2e-3)
opt_adv = torch.optim.Adam(A.parameters(), lr=2e-3)
enc_params = list(E.parameters())
ratio_log = []
lam = 0.3

for step in range(130):
    x, s = data(64)
    # adversary
    with torch.no_grad():
        z_det, _, _ = E(x)
    adv_loss = F.cross_entropy(A(z_det), s)
    opt_adv.zero_grad()
    adv_loss.backward()
    opt_adv.step()

    # vae: reconstruction + kl first, confusion second, on one graph
    z, mu, lv = E(x)
    rec = F.mse_loss(D(z), x, reduction="sum") / x.size(0)
    kl = -0.5 * (1 + lv - mu ** 2 - lv.exp()).sum(1).mean()
    confuse = -F.cross_entropy(A(z), s)
    opt_vae.zero_grad()
    (rec + 0.1 * kl).backward(retain_graph=True)
    g_main = grad_vec(enc_params).clone()
    (lam * confuse).backward()
    g_conf = grad_vec(enc_params) - g_main
    dot = torch.dot(g_main, g_conf)
    if dot < 0:
        # project out the conflicting part
        g_conf = g_conf - dot / (g_main.norm() ** 2 + 1e-12) * g_main
        offset = 0
        for p in enc_params:
            n = p.numel()
            p.grad.copy_((g_main + g_conf)[offset:offset + n].view_as(p))
            offset += n
    opt_vae.step()
    ratio_log.append((g_conf.norm() / (g_main.norm() + 1e-12)).item())
    if step % 30 == 0:
        print("step", step, "rec %.3f kl %.3f adv %.3f ratio %.3f" % (rec.item(), kl.item(), adv_loss.item(), ratio_log[-1]))
