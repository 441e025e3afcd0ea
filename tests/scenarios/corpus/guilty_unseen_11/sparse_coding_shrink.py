# gradwatch-corpus: kind=graph-held
# holder: Shrink.codes | Shrink.codes[-1] | codes
# first-bad: 1
"""LISTA for sparse codes: a few unrolled shrinkage steps with learned thresholds.
The shrinkage has its own autograd Function since the composed one was twice as slow on my laptop."""
import torch
from torch import nn


class Shrink(torch.autograd.Function):
    """sign(x) * max(|x| - theta, 0), theta one per code unit. The codes of training are noted for the density profile."""

    codes = []

    @staticmethod
    def forward(ctx, x, theta):
        z = x - x.clamp(-theta, theta)
        ctx.save_for_backward(z)
        if ctx.needs_input_grad[0]:
            Shrink.codes.append(z)  # <- culprit
        return z

    @staticmethod
    def backward(ctx, grad_z):
        (z,) = ctx.saved_tensors
        sign = z.sign()
        grad_x = grad_z * sign.abs()
        grad_theta = -(grad_z * sign).sum(dim=0)
        return grad_x, grad_theta


shrink = Shrink.apply


class Lista(nn.Module):
    def __init__(self, n_in, n_code, depth):
        super().__init__()
        self.depth = depth
        self.encode = nn.Linear(n_in, n_code, bias=False)
        self.inhibit = nn.Linear(n_code, n_code, bias=False)
        self.log_theta = nn.Parameter(torch.full((depth, n_code), -2.0))
        with torch.no_grad():
            self.inhibit.weight.mul_(0.1)

    def forward(self, y):
        b = self.encode(y)
        theta = self.log_theta.exp()
        z = shrink(b, theta[0])
        for k in range(1, self.depth):
            z = shrink(b + self.inhibit(z), theta[k])
        return z


def profile(depth):
    """Density after each unrolled step, over the latest passes."""
    latest = [(z != 0).float().mean().item() for z in Shrink.codes[-20 * depth:]]
    return [sum(latest[k::depth]) / len(latest[k::depth]) for k in range(depth)]


class SparseSignals:
    """y = D z + noise with k-sparse z; the dictionary is drawn once."""

    def __init__(self, n_in, n_code, k, seed):
        self.gen = torch.Generator().manual_seed(seed)
        d = torch.randn(n_in, n_code, generator=self.gen)
        self.dictionary = d / d.norm(dim=0, keepdim=True)
        self.n_code, self.k = n_code, k

    def draw(self, n):
        z = torch.zeros(n, self.n_code)
        where = torch.rand(n, self.n_code, generator=self.gen).topk(self.k, dim=1).indices
        z.scatter_(1, where, torch.randn(n, self.k, generator=self.gen))
        y = z @ self.dictionary.t()
        return y + 0.01 * torch.randn(y.shape, generator=self.gen), z


def evaluate(net, data):
    net.eval()
    with torch.no_grad():
        y, z = data.draw(512)
        hat = net(y)
        err = ((hat - z) ** 2).sum() / (z ** 2).sum()
        density = (hat != 0).float().mean()
    net.train()
    return err.item(), density.item()


def main(steps=400):
    torch.manual_seed(1)
    torch.set_num_threads(1)
    data = SparseSignals(n_in=32, n_code=64, k=4, seed=2)
    net = Lista(32, 64, depth=4)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=150, gamma=0.5)
    for it in range(steps):
        y, z = data.draw(64)
        code = net(y)
        rec = code @ data.dictionary.t()
        loss = (code - z).pow(2).sum(dim=1).mean() + 0.1 * (rec - y).pow(2).sum(dim=1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 100 == 0:
            nmse, dens = evaluate(net, data)
            print("it %4d  loss %.3f  nmse %.3f  density %.2f" % (it, loss.item(), nmse, dens))
    print("density by step", " ".join("%.2f" % d for d in profile(net.depth)))
    print("final nmse %.3f, density %.2f" % evaluate(net, data))


if __name__ == "__main__":
    main()
