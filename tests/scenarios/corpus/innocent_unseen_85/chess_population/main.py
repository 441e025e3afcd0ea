# gradwatch-corpus: kind=none
"""Population-based training of endgame evaluators."""
import random

import torch

from member import Member
from population import Population
from positions import endgames

torch.set_num_threads(1)
torch.manual_seed(64)
random.seed(64)


def main():
    pop = Population([Member(i, lr=10 ** random.uniform(-3.5, -1.5)) for i in range(5)])
    x_val, y_val = endgames(200)
    for round_ in range(50):
        for member in pop.members:
            for _ in range(4):
                member.learn(*endgames(24))
        pop.judge(x_val, y_val)
        if round_ % 3 == 2:
            pop.exploit()
        if round_ % 10 == 9:
            print(f"round {round_ + 1}: {pop.table()}")
    print("fame:", [(n, round(float(s), 4)) for s, n in pop.fame])


if __name__ == "__main__":
    main()
