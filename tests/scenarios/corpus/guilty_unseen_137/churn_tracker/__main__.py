# gradwatch-corpus: kind=graph-held
# holder: self.train.sums["bce"] | tracker.sums["bce"] | fitter.train.sums["bce"] | self.sums[name]
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from .data import make_customers
from .fit import Fitter
from .net import ChurnNet


def main():
    torch.manual_seed(11)
    X, cat, y = make_customers(640)
    net = ChurnNet(n_num=X.shape[1], n_plans=6)
    fitter = Fitter(net, lr=3e-3, batch=64)
    fitter.run(X, cat, y, rounds=40)


if __name__ == "__main__":
    main()
