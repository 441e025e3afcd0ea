import torch


def residual(net, pts, nu):
    """u_t + u u_x - nu u_xx at the given points."""
    xt = pts.requires_grad_()
    u = net(xt)
    u.sum().backward(create_graph=True)  # <- culprit
    u_x, u_t = xt.grad[:, 0], xt.grad[:, 1]
    u_xx = torch.autograd.grad(u_x.sum(), xt, create_graph=True)[0][:, 0]
    return u_t + u * u_x - nu * u_xx
