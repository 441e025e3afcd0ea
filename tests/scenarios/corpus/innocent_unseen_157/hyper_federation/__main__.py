# gradwatch-corpus: kind=none
"""Personalised federated learning: a server's hypernetwork writes each clinic's weights."""
from collections import OrderedDict

import torch

from .clinics import Clinic, make_clinics
from .hypernet import HyperNet

torch.set_num_threads(1)
torch.manual_seed(44)


def server_round(hyper, optimizer, clinic, local_steps):
    weights = hyper(torch.tensor([clinic.number]))
    delivered = OrderedDict((name, w.detach().clone()) for name, w in weights.items())
    returned, local_loss = clinic.train(delivered, local_steps)
    change = [delivered[name] - returned[name] for name in weights]
    params = list(hyper.parameters())
    grads = torch.autograd.grad(list(weights.values()), params, grad_outputs=change, allow_unused=True)
    optimizer.zero_grad()
    for p, g in zip(params, grads):
        p.grad = g
    torch.nn.utils.clip_grad_norm_(params, 5.0)
    optimizer.step()
    return local_loss


def main(rounds=100, local_steps=3):
    clinics = make_clinics(5)
    hyper = HyperNet(len(clinics), Clinic.model().state_dict())
    optimizer = torch.optim.SGD(hyper.parameters(), lr=0.05, momentum=0.9)
    latest = {}
    for r in range(rounds):
        clinic = clinics[int(torch.randint(len(clinics), (1,)))]
        latest[clinic.number] = server_round(hyper, optimizer, clinic, local_steps)
        if r % 25 == 24:
            with torch.no_grad():
                tests = [c.test(hyper(torch.tensor([c.number]))) for c in clinics]
            print(f"round {r + 1:3d} local {sum(latest.values()) / len(latest):.4f} test {sum(tests) / len(tests):.4f}")


if __name__ == "__main__":
    main()
