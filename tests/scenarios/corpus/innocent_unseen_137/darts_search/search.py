import torch
import torch.nn.functional as F


class Searcher:
    def __init__(self, net):
        self.net = net
        self.ow = torch.optim.SGD(net.weights(), lr=0.03, momentum=0.8)
        self.oa = torch.optim.Adam([net.alpha], lr=5e-3)

    def weights_turn(self, x, y):
        loss = F.mse_loss(self.net(x), y)
        self.net.zero_grad(set_to_none=True)
        loss.backward(create_graph=True)
        first = [p.grad for p in self.net.weights()]
        self.net.zero_grad(set_to_none=True)
        flat = sum(g.square().sum() for g in first)
        (loss + 0.01 * flat).backward()
        self.ow.step()
        return loss.item()

    def choice_turn(self, x, y):
        self.oa.zero_grad(set_to_none=True)
        F.mse_loss(self.net(x), y).backward()
        self.oa.step()
