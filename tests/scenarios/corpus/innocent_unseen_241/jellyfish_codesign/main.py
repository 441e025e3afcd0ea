# gradwatch-corpus: kind=none
import torch

from callbacks import BestSwim, Console, WearLog
from codesign import CoDesigner
from swimmer import Controller, Morphology


def main():
    torch.manual_seed(66)
    best = BestSwim()
    wear = WearLog(keep=30)
    designer = CoDesigner(
        morphology=Morphology(bells=6),
        controller=Controller(bells=6),
        callbacks=[best, wear, Console(20)],
    )
    designer.evolve(generations=100)
    print(f"best generation {best.generation} distance {best.distance:.3f} path {tuple(best.path.shape)}")
    print("wear trend", wear.trend())


if __name__ == "__main__":
    main()
