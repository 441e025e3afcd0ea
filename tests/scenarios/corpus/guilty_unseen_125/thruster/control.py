import torch


class BiasTuner:
    def __init__(self, craft, lr):
        self.craft = craft
        self.opt = torch.optim.Adam([craft.bias], lr=lr)

    def tick(self, target):
        p = self.craft.advance(0.1 * torch.randn(3))
        miss = (p - target).square().sum() + 1e-2 * self.craft.bias.abs().sum()
        self.opt.zero_grad()
        miss.backward()
        self.opt.step()
        return miss.item()
