# gradwatch-corpus: kind=graph-held
# holder: self.series | game.series | self.series["penalty"] | game.series["penalty"] | series | series["penalty"]
# first-bad: 1
"""WGAN-GP on a ring of Gaussians; critic series kept for the plots in the appendix."""
import torch

from game import WassersteinGame
from ring import Ring


def summarise(series, last):
    lines = []
    for name, values in series.items():
        window = values[-last:]
        mean = sum(v if isinstance(v, float) else v.item() for v in window) / len(window)
        lines.append(f"{name} {mean:.4f}")
    return "  ".join(lines)


def main(rounds=90, batch=64):
    torch.manual_seed(77)
    torch.set_num_threads(1)
    ring = Ring(modes=8, radius=2.0, std=0.05)
    game = WassersteinGame(latent=6, lam=5.0)
    for r in range(rounds):
        for _ in range(2):
            game.critic_step(ring.sample(batch))
        game.generator_step(batch)
        if (r + 1) % 30 == 0:
            with torch.no_grad():
                print(r + 1, summarise(game.series, last=20))
                print("    modes hit", ring.modes_hit(game.generate(400)))


if __name__ == "__main__":
    main()
