# gradwatch-corpus: kind=graph-held
# holder: book.frames | self.frames | book
# first-bad: 7
"""Force matching of a coarse-grained bead chain with a learned pair potential."""
import torch

from ledger import RunBook
from potential import energy_and_forces, init_theta
from reference import chain_frames


def update(theta, grads, moments, lr):
    out = []
    for t, g, m in zip(theta, grads, moments):
        m.mul_(0.9).add_(g, alpha=0.1)
        out.append((t.detach() - lr * m / (m.abs().mean() + 1e-6)).requires_grad_())
    return out


def force_residual(theta, q, f_ref):
    e, f = energy_and_forces(theta, q)
    return ((f - f_ref) ** 2).mean(), e, f


def main(frames=150, lr=1e-3):
    torch.manual_seed(77)
    theta = init_theta(n_rbf=16, hidden=24)
    moments = [torch.zeros_like(t) for t in theta]
    book = RunBook(every=1)
    for n, (q, e_ref, f_ref) in enumerate(chain_frames(frames, batch=8, beads=10)):
        loss, e, f = force_residual(theta, q, f_ref)
        grads = torch.autograd.grad(loss, theta)
        theta = update(theta, grads, moments, lr)
        book.note(n, loss, e, e_ref)
        if n % 25 == 0:
            print(book.summary())


if __name__ == "__main__":
    main()
