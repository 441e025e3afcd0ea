# gradwatch-corpus: kind=none
# about: GradNorm: for each task a gradient of the shared layer with create_graph and
# about: retain_graph, a backward for the model, one for the weights, on graphs that overlap
import torch
import torch.nn as nn
from parts.pace import ITERATIONS


class MultiTask(nn.Module):
    def __init__(self, tasks=3):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 24), nn.ReLU())
        self.shared = nn.Linear(24, 24)
        self.heads = nn.ModuleList(nn.Linear(24, 4) for _ in range(tasks))
        self.weights = nn.Parameter(torch.ones(tasks))

    def forward(self, x):
        h = torch.relu(self.shared(self.trunk(x)))
        return [head(h) for head in self.heads]


class GradNorm:
    def __init__(self, model, alpha=0.12):
        self.model, self.alpha = model, alpha
        body = [p for n, p in model.named_parameters() if n != "weights"]
        self.opt = torch.optim.Adam(body, lr=2e-3)
        self.opt_w = torch.optim.Adam([model.weights], lr=1e-2)
        self.initial = None

    def step(self, x, targets):
        outs = self.model(x)
        losses = torch.stack([(o - t).pow(2).mean() for o, t in zip(outs, targets)])
        if self.initial is None:
            self.initial = losses.detach()
        weighted = self.model.weights * losses
        self.opt.zero_grad()
        self.opt_w.zero_grad()
        weighted.sum().backward(retain_graph=True)
        self.model.weights.grad.zero_()
        norms = []
        for w, loss in zip(self.model.weights, losses):
            (g,) = torch.autograd.grad(
                w * loss, self.model.shared.weight, retain_graph=True, create_graph=True
            )
            norms.append(g.norm())
        norms = torch.stack(norms)
        ratio = losses.detach() / self.initial
        goal = (norms.mean() * (ratio / ratio.mean()) ** self.alpha).detach()
        gradnorm = (norms - goal).abs().sum()
        self.model.weights.grad = torch.autograd.grad(gradnorm, self.model.weights)[0]
        self.opt.step()
        self.opt_w.step()
        with torch.no_grad():
            self.model.weights.mul_(len(losses) / self.model.weights.sum())
        return losses


def main():
    torch.manual_seed(0)
    trainer = GradNorm(MultiTask())
    maps = [torch.randn(10, 4) * s for s in (1.0, 3.0, 10.0)]
    for it in range(ITERATIONS):
        x = torch.randn(32, 10)
        losses = trainer.step(x, [torch.tanh(x @ m) * m.abs().mean() for m in maps])
        if it % 50 == 0:
            weights = [round(w, 5) for w in trainer.model.weights.tolist()]
            print(f"{it}: {losses.sum().item():.6f} weights {weights}")


if __name__ == "__main__":
    main()
