import torch


class GradientSurgeon:
    """Projects away the conflicting parts of the tasks' gradients."""

    def __init__(self, model, opt):
        self.opt = opt
        self.params = list(model.parameters())

    def _flat(self, objective):
        self.opt.zero_grad()
        objective.backward(retain_graph=True)
        return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.params])

    @staticmethod
    def _project(rows):
        out = []
        for i, g in enumerate(rows):
            g = g.clone()
            for j, other in enumerate(rows):
                dot = g @ other
                if i != j and dot < 0:
                    g -= dot / (other @ other) * other
            out.append(g)
        return torch.stack(out).mean(0)

    def step(self, losses):
        merged = self._project([self._flat(v) for v in losses.values()])
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.opt.step()
