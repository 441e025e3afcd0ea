from collections import Counter

import torch


class Server:
    def __init__(self, net):
        self.net = net
        self.ledger = []

    def weights(self):
        return {k: v.clone() for k, v in self.net.state_dict().items()}

    @torch.no_grad()
    def merge(self, rnd, reply, mix=0.6):
        state = self.net.state_dict()
        for k, d in reply.delta.items():
            state[k].add_(d, alpha=mix)
        self.ledger.append((rnd, reply))  # <- culprit

    def participation(self):
        return dict(Counter(r.cid for _, r in self.ledger))
