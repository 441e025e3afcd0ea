# gradwatch-corpus: kind=graph-held
# holder: self.kl_curve | annealer.kl_curve | cb.kl_curve | callbacks[0].kl_curve
# first-bad: 1
import torch

from .callbacks import ConsoleLogger, KLAnnealing
from .engine import Engine
from .model import VAE


def toy_digits(n=1920, side=8):
    """Bars of random place and orientation, 8 x 8."""
    g = torch.Generator().manual_seed(1)
    x = torch.zeros(n, side, side)
    pos = torch.randint(0, side, (n,), generator=g)
    vertical = torch.rand(n, generator=g) < 0.5
    for i in range(n):
        if vertical[i]:
            x[i, :, pos[i]] = 1
        else:
            x[i, pos[i], :] = 1
    return x.flatten(1)


def main():
    torch.manual_seed(123)
    loader = torch.utils.data.DataLoader(toy_digits(), batch_size=48, shuffle=True)
    model = VAE(64, latent=6)
    annealer = KLAnnealing(warmup=60, max_beta=0.6)
    engine = Engine(model, torch.optim.Adam(model.parameters(), 3e-3), [annealer, ConsoleLogger(20)])
    engine.run(loader, epochs=2)
    print("final kl: %.3f  beta: %.2f" % (annealer.recent_kl(10), engine.beta))


if __name__ == "__main__":
    main()
