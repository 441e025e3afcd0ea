import random

import torch


class FederatedRun:
    def __init__(self, hnet, nodes, rounds, cohort, lr):
        self.hnet, self.nodes = hnet, nodes
        self.rounds, self.cohort = rounds, cohort
        self.opt = torch.optim.SGD(hnet.parameters(), lr=lr, momentum=0.9)

    def absorb(self, weights, trained):
        """Push the local delta through the hypernetwork as a vector-Jacobian product."""
        delta = [weights[k].detach() - trained[k] for k in weights]
        self.opt.zero_grad()
        torch.autograd.backward(list(weights.values()), grad_tensors=delta)  # <- culprit
        torch.nn.utils.clip_grad_norm_(self.hnet.parameters(), 5.0)
        self.opt.step()

    def one_round(self, rnd):
        ids = random.sample(range(len(self.nodes)), self.cohort(rnd))
        packages = self.hnet(torch.tensor(ids))
        losses = []
        for nid, weights in zip(ids, packages):
            trained, loss = self.nodes[nid].local_train(weights)
            self.absorb(weights, trained)
            losses.append(loss)
        return sum(losses) / len(losses)

    def run(self):
        smooth = None
        for rnd in range(self.rounds):
            value = self.one_round(rnd)
            smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
            if rnd % 20 == 0:
                print(f"round {rnd:3d} | local loss {smooth:.4f}")
