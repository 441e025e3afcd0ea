import torch
from torch.nn.functional import cross_entropy


class OnlineLearner:
    def __init__(self, net, lr):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def observe(self, events, state):
        self.opt.zero_grad()
        loss = cross_entropy(self.net(events), state)
        loss.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return loss.item()
