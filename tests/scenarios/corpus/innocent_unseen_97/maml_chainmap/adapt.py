import torch


def adapt(weights, model, target, steps, lr):
    trail = [weights]
    for _ in range(steps):
        cur = trail[-1]
        loss = (model(cur) - target).pow(2).mean()
        names = list(cur)
        grads = torch.autograd.grad(loss, [cur[n] for n in names], create_graph=True)
        trail.append(cur.new_child({n: cur[n] - lr * g for n, g in zip(names, grads)}))
    return trail[-1]
