import torch


class Fitter:
    def __init__(self, net, force_weight, lr):
        self.net, self.w = net, force_weight
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def predict(self, pos, train):
        pos = pos.clone().requires_grad_(True)
        energy = self.net(pos)
        grad, = torch.autograd.grad(energy.sum(), pos, create_graph=train)
        return energy, -grad

    def step(self, batch):
        pos, e_ref, f_ref = batch
        energy, force = self.predict(pos, train=True)
        e_loss = (energy - e_ref).pow(2).mean() / pos.size(1)
        f_loss = (force - f_ref).pow(2).mean()
        self.opt.zero_grad()
        ((1 - self.w) * e_loss + self.w * f_loss).backward()
        self.opt.step()
        return {"energy": e_loss.item(), "force": f_loss.item()}

    def check(self, held):
        pos, _, f_ref = held
        _, force = self.predict(pos, train=False)
        return (force - f_ref).abs().mean().item()
