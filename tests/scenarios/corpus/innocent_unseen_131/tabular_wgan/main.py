# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
from critic import Critic, gradient_penalty
from gen import Generator, bank_rows

torch.manual_seed(64)
G, D = Generator(), Critic()
g_opt = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.5, 0.9))
d_opt = torch.optim.Adam(D.parameters(), 1e-3, betas=(0.5, 0.9))
w_hist = []
for it in range(400):
    for _ in range(3):
        real = bank_rows(32)
        fake = G.sample(32).detach()
        w = D(real).mean() - D(fake).mean()
        gp = gradient_penalty(D, real, fake)
        d_opt.zero_grad()
        (10 * gp - w).backward()
        d_opt.step()
        w_hist.append(w.detach())
    for p in D.parameters():
        p.requires_grad_(False)
    g_opt.zero_grad()
    (-D(G.sample(32)).mean()).backward()
    g_opt.step()
    for p in D.parameters():
        p.requires_grad_(True)
    if len(w_hist) >= 300:
        print(it, torch.stack(w_hist).mean().item())
        w_hist.clear()
