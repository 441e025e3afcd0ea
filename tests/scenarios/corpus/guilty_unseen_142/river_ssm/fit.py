def descend(err, theta, lr, clip=1.0):
    err.backward(retain_graph=True)
    fresh = {}
    for name, p in theta.items():
        fresh[name] = (p.detach() - lr * p.grad.clamp(-clip, clip)).requires_grad_()
    return fresh
