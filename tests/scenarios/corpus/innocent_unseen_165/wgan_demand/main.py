# gradwatch-corpus: kind=none
import torch

from nets import mlp
from penalty import gradient_penalty

torch.set_num_threads(1)
torch.manual_seed(23)

LATENT, DIM, N_CRITIC = 6, 8, 3


def profiles(n):
    t = torch.linspace(0, 6.28, DIM)
    return torch.sin(t + torch.rand(n, 1)) * (1 + 0.2 * torch.randn(n, 1))


def critic_update(critic, gen, opt, n, lam=10.0):
    real = profiles(n)
    with torch.no_grad():
        fake = gen(torch.randn(n, LATENT))
    loss = critic(fake).mean() - critic(real).mean() + lam * gradient_penalty(critic, real, fake)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def generator_update(critic, gen, opt, n):
    for p in critic.parameters():
        p.requires_grad_(False)
    loss = -critic(gen(torch.randn(n, LATENT))).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    for p in critic.parameters():
        p.requires_grad_(True)
    return loss.item()


def main():
    gen, critic = mlp(LATENT, 32, 32, DIM), mlp(DIM, 32, 32, 1)
    og = torch.optim.Adam(gen.parameters(), lr=1e-3, betas=(0.0, 0.9))
    oc = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.0, 0.9))
    log = {"critic": [], "gen": []}
    for it in range(60):
        for _ in range(N_CRITIC):
            log["critic"].append(critic_update(critic, gen, oc, 32))
        log["gen"].append(generator_update(critic, gen, og, 32))
        if it % 20 == 0:
            print(it, f"critic {log['critic'][-1]:.3f} gen {log['gen'][-1]:.3f}")


if __name__ == "__main__":
    main()
