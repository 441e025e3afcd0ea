# gradwatch-corpus: kind=none
import torch
from nets import Critic, Generator, ema_copy, ema_update
from penalty import gradient_penalty
from spectra import real_batch


def run(steps=420, n_critic=2):
    torch.manual_seed(5)
    rng = torch.Generator().manual_seed(5)
    gen, critic = Generator(), Critic()
    shadow = ema_copy(gen)
    g_opt = torch.optim.Adam(gen.parameters(), lr=5e-4, betas=(0.0, 0.9))
    c_opt = torch.optim.Adam(critic.parameters(), lr=5e-4, betas=(0.0, 0.9))
    probe = torch.randn(16, 8, generator=rng)
    history = {"w": [], "gp": [], "g": []}
    snapshots = {}
    for step in range(steps):
        for _ in range(n_critic):
            real = real_batch(32, rng)
            with torch.no_grad():
                fake = gen(torch.randn(32, 8, generator=rng))
            w = critic(real).mean() - critic(fake).mean()
            gp = gradient_penalty(critic, real, fake, rng)
            c_opt.zero_grad()
            (10.0 * gp - w).backward()
            c_opt.step()
            history["w"].append(w.item())
            history["gp"].append(gp.item())
        for p in critic.parameters():
            p.requires_grad_(False)
        g_loss = -critic(gen(torch.randn(32, 8, generator=rng))).mean()
        g_opt.zero_grad()
        g_loss.backward()
        g_opt.step()
        for p in critic.parameters():
            p.requires_grad_(True)
        ema_update(shadow, gen, 0.99)
        history["g"].append(g_loss.item())
        if step % 70 == 0:
            with torch.no_grad():
                snapshots[step] = shadow(probe)
    first, last = snapshots[0], snapshots[max(snapshots)]
    print(f"w {history['w'][-1]:.3f} gp {history['gp'][-1]:.3f} moved {(last - first).abs().mean():.3f}")


if __name__ == "__main__":
    run()
