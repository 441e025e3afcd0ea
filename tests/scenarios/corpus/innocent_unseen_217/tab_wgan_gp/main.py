# gradwatch-corpus: kind=none
import torch

from claims import ClaimTable
from gan import build_pair
from penalties import PENALTIES
from trainer import WGANTrainer

CFG = dict(seed=55, rounds=60, n_critic=2, batch=64, z=8, gp=dict(kind="interpolate", weight=10.0))


def main():
    torch.manual_seed(CFG["seed"])
    table = ClaimTable(cols=6)
    gen, critic = build_pair(CFG["z"], 6)
    gp = PENALTIES[CFG["gp"]["kind"]](CFG["gp"]["weight"])
    tr = WGANTrainer(gen, critic, gp, CFG)
    for r in range(CFG["rounds"]):
        stats = tr.round(table)
        if r % 20 == 0:
            print(r, stats)


if __name__ == "__main__":
    main()
