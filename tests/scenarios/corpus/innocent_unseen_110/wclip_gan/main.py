# gradwatch-corpus: kind=none
import torch

from nets import Critic, Generator
from steps import critic_step, generator_step


def ring(n, modes=6):
    k = torch.randint(0, modes, (n,)).float() * (2 * torch.pi / modes)
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


torch.set_num_threads(1)
torch.manual_seed(12)

G, D = Generator(4), Critic()
opt_g = torch.optim.RMSprop(G.parameters(), lr=5e-4)
opt_d = torch.optim.RMSprop(D.parameters(), lr=5e-4)
average = [p.detach().clone() for p in G.parameters()]
gap_log, gen_log = [], []

for it in range(300):
    for _ in range(2):
        gap = critic_step(D, G, opt_d, ring(32))
    gap_log.append(gap)
    gen_log.append(generator_step(D, G, opt_g, 32, diversity=0.1))
    with torch.no_grad():
        torch._foreach_lerp_(average, list(G.parameters()), 0.02)
    if it % 50 == 0:
        print(f"{it:4d} wasserstein~{sum(gap_log[-20:]) / len(gap_log[-20:]):.4f} gen {gen_log[-1]:.4f}")

with torch.no_grad():
    for p, a in zip(G.parameters(), average):
        p.copy_(a)
    pts = G.sample(200)
    print("mean radius of samples", pts.norm(dim=1).mean().item())
