# gradwatch-corpus: kind=second-backward
# first-bad: 18
# notice: 0
"""Rain nowcasting with an additional term for storms."""
import torch

from .engine import Engine
from .nowcast import Nowcast, radar
from .terms import TERMS

torch.set_num_threads(1)
torch.manual_seed(71)


def main():
    net = Nowcast()
    eng = Engine(net, lr=2e-3)
    for name, kw in (("storm", {"level": 3.0}), ("meter", {"every": 10})):
        TERMS[name](**kw).join(eng)
    eng.run(radar(80, storm_from=18))
    print("done", eng.k)


if __name__ == "__main__":
    main()
