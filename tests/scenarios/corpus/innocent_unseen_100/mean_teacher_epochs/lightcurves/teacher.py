import copy

import torch


class EmaTeacher:
    def __init__(self, net, decay):
        self.shadow = copy.deepcopy(net).eval()
        self.decay = decay

    def follow(self, net):
        with torch.no_grad():
            for s, p in zip(self.shadow.parameters(), net.parameters()):
                s.copy_(self.decay * s + (1 - self.decay) * p)

    @torch.no_grad()
    def __call__(self, x):
        return self.shadow(x).softmax(-1)
