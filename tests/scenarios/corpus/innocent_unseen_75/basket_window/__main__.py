# gradwatch-corpus: kind=none
"""Basket recommender, several sessions' losses per update. Run: python -m basket_window"""
import torch

from .core import Engine, TrainState
from .model import BasketModel, baskets
from .plugins import create


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(44)
    model = BasketModel(products=40, width=12)
    state = TrainState(model=model, optimizer=torch.optim.Adagrad(model.parameters(), lr=0.08))
    engine = Engine(state, [create("window", size=4), create("prototype", momentum=0.9), create("console", every=50)])
    engine.run(baskets(products=40, visits=800))


if __name__ == "__main__":
    main()
