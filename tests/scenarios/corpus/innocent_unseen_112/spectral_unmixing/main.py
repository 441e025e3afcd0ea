# gradwatch-corpus: kind=none
"""Hyperspectral unmixing: abundances by a network, endmembers and a per-band gain as free
tables. The three blocks take turns, each with an optimizer of its own."""
import torch

from unmix.blocks import Abundance, Endmembers, Gain
from unmix.scene import Scene
from unmix.schedule import Turn, round_robin

ROUNDS = 420


def main():
    torch.set_num_threads(1)
    torch.manual_seed(66)
    scene = Scene(pixels=1500, bands=40, materials=4)
    abundance = Abundance(scene.bands, 4)
    endmembers = Endmembers(scene.bands, 4)
    gain = Gain(scene.bands)

    def objective():
        pix = scene.draw(64)
        a = abundance(pix)
        recon = gain(a @ endmembers())
        fit = (recon - pix).pow(2).mean()
        sparse = a.clamp_min(1e-6).sqrt().sum(1).mean()
        return fit + 1e-3 * sparse + 1e-2 * endmembers.roughness() + 1e-2 * gain.drift()

    turns = [
        Turn("abundance", torch.optim.Adam(abundance.parameters(), lr=5e-3), times=3),
        Turn("endmembers", torch.optim.Adam(endmembers.parameters(), lr=1e-2), times=1),
        Turn("gain", torch.optim.SGD(gain.parameters(), lr=0.05), times=1),
    ]
    log = []
    for n, turn in zip(range(ROUNDS), round_robin(turns)):
        loss = turn.take(objective)
        log.append((turn.name, loss))
        if n % 70 == 69:
            tail = [v for _, v in log[-20:]]
            print(f"{n + 1:4d} {turn.name:10s} {sum(tail) / len(tail):.5f}  angle {scene.angle(endmembers()):.3f}")


if __name__ == "__main__":
    main()
