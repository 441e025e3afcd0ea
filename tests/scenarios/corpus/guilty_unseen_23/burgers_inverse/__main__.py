# gradwatch-corpus: kind=graph-held
# holder: self.log["data"] | self.log["pde"] | self.log | model.log | model.log["pde"] | model.log["data"]
# first-bad: 1
import numpy as np
import torch

from . import InversePINN, make_observations


def main():
    np.random.seed(1234)
    torch.manual_seed(1234)
    X_u, u, X_f, lb, ub = make_observations()
    layers = [2, 32, 32, 32, 32, 1]
    model = InversePINN(X_u, u, X_f, layers, lb, ub)
    model.train(220)

    h = model.history()
    print("error lambda_1: %.2f%%" % (100 * abs(model.lambda_1.item() - 1.0)))
    print("min data loss %.3e at %d" % (h["data"].min(), h["data"].argmin()))
    print("mean of last 20 pde losses %.3e" % h["pde"][-20:].mean())


if __name__ == "__main__":
    main()
