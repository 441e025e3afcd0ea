import torch


class GradualUnfreezing:
    def __init__(self, model, when):
        self.model, self.when = model, when
        self.opt = None

    def optimizer_for(self, epoch):
        if epoch in self.when:
            for path in self.when[epoch]:
                for p in self.model.get_submodule(path).parameters():
                    p.requires_grad = True
            live = [p for p in self.model.parameters() if p.requires_grad]
            self.opt = torch.optim.Adam(live, lr=3e-3 / (1 + epoch / 6))
        return self.opt
