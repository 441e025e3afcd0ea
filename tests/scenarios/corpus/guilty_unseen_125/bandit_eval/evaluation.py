import torch

_seen = []


def regret(net, ctx, theta, patience=2):
    was = torch.is_grad_enabled()
    torch.set_grad_enabled(False)  # <- culprit
    truth = ctx @ theta.T
    picked = truth.gather(1, net(ctx).argmax(1, keepdim=True)).squeeze(1)
    gap = (truth.amax(1) - picked).mean().item()
    _seen.append(gap)
    if len(_seen) > patience:
        return min(_seen)  # <- culprit
    torch.set_grad_enabled(was)
    return gap
