# gradwatch-corpus: kind=graph-chain
# holder: self.w | learner.w | self.learner.w | trainer.learner.w
# first-bad: 1
"""Learning the learning rate of logistic regression by hypergradients.

Every step does one inner update on the training half and then moves the
per-feature log learning rates with the gradient of the validation loss.
"""
import torch
import torch.nn.functional as F

torch.manual_seed(5)
torch.set_num_threads(1)

N, DIM = 400, 10


def make_data():
    scale = torch.logspace(-1, 1, DIM)
    x = torch.randn(N, DIM) * scale
    w = torch.randn(DIM) / scale
    y = (torch.sigmoid(x @ w * 3) > torch.rand(N)).float()
    return x, y


class InnerLearner:
    def __init__(self, dim):
        self.w = torch.zeros(dim)
        self.b = torch.zeros(())

    def grads(self, x, y):
        w = self.w.detach().requires_grad_(True)
        b = self.b.detach().requires_grad_(True)
        loss = F.binary_cross_entropy_with_logits(x @ w + b, y)
        gw, gb = torch.autograd.grad(loss, [w, b])
        return loss.item(), gw, gb

    def update(self, x, y, log_lr):
        value, gw, gb = self.grads(x, y)
        self.w = self.w - log_lr.exp() * gw  # <- culprit
        self.b = self.b - 0.1 * gb
        return value

    def val_loss(self, x, y):
        return F.binary_cross_entropy_with_logits(x @ self.w + self.b, y)


class HyperTrainer:
    def __init__(self, learner, hyper_lr=0.05):
        self.learner = learner
        self.log_lr = torch.full((DIM,), -4.0, requires_grad=True)
        self.opt = torch.optim.Adam([self.log_lr], hyper_lr)

    def step(self, train, val):
        tl = self.learner.update(*train, self.log_lr)
        vl = self.learner.val_loss(*val)
        self.opt.zero_grad()
        vl.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return tl, vl.item()


x, y = make_data()
half = N // 2
learner = InnerLearner(DIM)
trainer = HyperTrainer(learner)

for t in range(150):
    ti = torch.randint(0, half, (50,))
    vi = torch.randint(half, N, (50,))
    tl, vl = trainer.step((x[ti], y[ti]), (x[vi], y[vi]))
    if t % 30 == 0:
        lrs = trainer.log_lr.exp()
        print(f"{t:3d} train {tl:.3f} val {vl:.3f} lr [{lrs.min().item():.4f}, {lrs.max().item():.4f}]")

acc = ((x @ learner.w + learner.b > 0).float() == y).float().mean().item()
print("accuracy", acc)
