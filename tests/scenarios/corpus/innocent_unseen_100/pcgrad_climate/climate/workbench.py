import torch
import torch.nn.functional as F


class Workbench:
    def __init__(self, model, balancer, lr):
        self.model, self.balancer = model, balancer
        self.params = list(model.parameters())
        self.opt = torch.optim.RMSprop(self.params, lr=lr)
        self.initial = None
        self.ratios = []

    def iterate(self, batch):
        x, targets = batch
        outs = self.model(x)
        losses = {t: F.mse_loss(outs[t], targets[t]) for t in outs}
        self.balancer.assign(losses, self.params)
        self.opt.step()
        return self._report(losses)

    def _report(self, losses):
        if self.initial is None:
            self.initial = {t: l.detach() for t, l in losses.items()}
        ratio = {t: l.detach() / self.initial[t] for t, l in losses.items()}
        self.ratios.append(ratio)
        return {t: round(r.item(), 3) for t, r in ratio.items()}
