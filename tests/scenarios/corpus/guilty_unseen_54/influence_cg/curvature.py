import torch


def flatten(tensors):
    return torch.cat([t.reshape(-1) for t in tensors])


class DampedHessian:
    """Matrix-free (H + damping * I) of a scalar loss."""

    def __init__(self, loss, params, damping):
        self.params = params
        self.damping = damping
        self.flat_grad = flatten(torch.autograd.grad(loss, params, create_graph=True))

    @property
    def dim(self):
        return self.flat_grad.numel()

    def __matmul__(self, v):
        hv = torch.autograd.grad(self.flat_grad, self.params, grad_outputs=v)  # <- culprit
        return flatten(hv) + self.damping * v


def conjugate_gradient(A, b, iters, tol=1e-8):
    x = torch.zeros_like(b)
    r = b.clone()
    d = r.clone()
    rs = r @ r
    for _ in range(iters):
        Ad = A @ d
        alpha = rs / (d @ Ad)
        x += alpha * d
        r -= alpha * Ad
        rs_new = r @ r
        if rs_new < tol:
            break
        d = r + (rs_new / rs) * d
        rs = rs_new
    return x, float(r.norm())
