import torch


class GradNorm:
    def __init__(self, n_tasks: int, layer: torch.Tensor, alpha: float) -> None:
        self.log_w = torch.zeros(n_tasks, requires_grad=True)
        self.layer, self.alpha = layer, alpha
        self.first = None

    def weights(self) -> torch.Tensor:
        return self.log_w.exp()

    def gap(self, terms: torch.Tensor) -> torch.Tensor:
        if self.first is None:
            self.first = terms.detach()
        norms = []
        for i, t in enumerate(terms):
            (g,) = torch.autograd.grad(t, self.layer, retain_graph=i + 1 < len(terms))
            norms.append(g.norm())
        scaled = self.weights() * torch.stack(norms)
        pace = terms.detach() / self.first
        goal = (scaled.mean() * (pace / pace.mean()) ** self.alpha).detach()
        return (scaled - goal).abs().sum()

    def renormalise(self) -> None:
        with torch.no_grad():
            self.log_w -= self.log_w.exp().mean().log()
