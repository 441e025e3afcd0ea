# gradwatch-corpus: kind=graph-chain
# holder: self.params | inner.params | self.velocity | inner.velocity
# first-bad: 4
# notice: 8
import torch
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(9)
WINDOW = 4


class Regression:
    """Noisy features, of which only the first are informative."""

    def __init__(self, dim=12):
        self.w = torch.zeros(dim)
        self.w[:4] = torch.tensor([1.5, -2.0, 0.7, 1.0])

    def sample(self, n=16):
        x = torch.randn(n, len(self.w))
        return x, x @ self.w + 0.5 * torch.randn(n)


class HyperParams(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.log_lr = torch.nn.Parameter(torch.full((dim,), -4.0))
        self.log_decay = torch.nn.Parameter(torch.full((dim,), -4.0))
        self.momentum_logit = torch.nn.Parameter(torch.tensor(0.0))


class UnrolledSGD:
    """The inner optimiser: every step is differentiable in the hyperparameters."""

    def __init__(self, hyper, dim):
        self.hyper = hyper
        self.params = torch.zeros(dim, requires_grad=True)
        self.velocity = torch.zeros(dim)

    def begin_window(self):
        self.params = self.params.clone()  # <- culprit
        self.velocity = self.velocity.clone()  # <- culprit

    def step(self, x, y):
        decay = (self.hyper.log_decay.exp() * self.params ** 2).sum()
        loss = F.mse_loss(x @ self.params, y) + decay
        grad, = torch.autograd.grad(loss, self.params, create_graph=True)
        self.velocity = torch.sigmoid(self.hyper.momentum_logit) * self.velocity + grad
        self.params = self.params - self.hyper.log_lr.exp() * self.velocity
        return loss.item()


class MetaTrainer:
    def __init__(self, problem):
        self.problem = problem
        self.hyper = HyperParams(len(problem.w))
        self.inner = UnrolledSGD(self.hyper, len(problem.w))
        self.meta_opt = torch.optim.Adam(self.hyper.parameters(), lr=0.02)
        self.val_curve = []

    def train_step(self, i):
        if i % WINDOW == 0:
            self.inner.begin_window()
        self.inner.step(*self.problem.sample())
        vx, vy = self.problem.sample()
        val_loss = F.mse_loss(vx @ self.inner.params, vy)
        self.meta_opt.zero_grad()
        val_loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(self.hyper.parameters(), 1.0)
        self.meta_opt.step()
        self.val_curve.append(val_loss.item())

    def run(self, steps):
        for i in range(steps):
            self.train_step(i)
            if (i + 1) % 16 == 0:
                lr = self.hyper.log_lr.detach().exp().mean().item()
                print(f"step {i + 1} val {sum(self.val_curve[-16:]) / 16:.3f} lr {lr:.4f}")


MetaTrainer(Regression()).run(64)
