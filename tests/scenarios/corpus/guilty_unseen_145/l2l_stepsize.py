# gradwatch-corpus: kind=graph-chain
# holder: theta | self.theta | optimizee.theta
# first-bad: 1
# notice: 5
"""Learning to learn by gradient descent, with a diagonal step size only."""
import torch

torch.set_num_threads(1)
torch.manual_seed(5)


class Optimizee:
    def __init__(self, dim=6):
        self.A = torch.randn(dim, dim) / dim ** 0.5
        self.target = torch.randn(dim)
        self.theta = torch.zeros(dim, requires_grad=True)

    def objective(self, theta):
        noise = 0.05 * torch.randn(len(self.target))
        return ((self.A @ theta - self.target + noise) ** 2).mean()

    def advance(self, step_size):
        f = self.objective(self.theta)
        (g,) = torch.autograd.grad(f, self.theta, create_graph=True)
        self.theta = self.theta - step_size * g  # <- culprit
        return self.objective(self.theta)


class DiagonalRule(torch.nn.Module):
    def __init__(self, dim=6):
        super().__init__()
        self.log_step = torch.nn.Parameter(torch.full((dim,), -3.0))

    def forward(self):
        return self.log_step.exp()


optimizee, rule = Optimizee(), DiagonalRule()
meta_opt = torch.optim.Adam(rule.parameters(), lr=5e-3)
for t in range(200):
    meta_loss = optimizee.advance(rule())
    meta_opt.zero_grad()
    meta_loss.backward(retain_graph=True)
    meta_opt.step()
    if t % 40 == 0:
        print(t, f"{meta_loss.item():.4f}", rule.log_step.data.mean().item())
